"""What the logs and kept parameters of both sides say (compare.py)."""

from __future__ import annotations

import math
import re
from pathlib import Path

import numpy as np
from running import Program

NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*(?:e[-+]?\d+)?|nan|inf)\b")
FRAME = re.compile(r'^\s*File "([^"]+)", line (\d+)', re.M)
SAID = re.compile(r"# mindport: (MP\d+)")
#: The module of equivalents in a converted project.
VENDORED = "torch_equivalents.py"
CLOSE = 1e-4
TIMES_NOISE = 10
#: Where PyTorch's own lines move by as much, they decide nothing (biases before a normalisation always do).
TOO_FAR = 1e-2


def verdict(program: Program, stopped: str, noises: tuple[str, ...]) -> dict[str, str]:
    """The worst that any part of the driver met, and where; `noises` are the runs that say what PyTorch itself is apart."""
    ours, theirs = lines(program.log("after")), lines(program.log("before"))
    moved = [lines(program.log(noise)) for noise in noises]
    raised = {key for key, values in ours.items() if values[:1] == ["raised"]} - {key for key, values in theirs.items() if values[:1] == ["raised"]}
    both = {key for key, values in theirs.items() if values[:1] == ["raised"] and ours.get(key, [])[:1] == ["raised"]}
    apart = [f"{key}: {values} | {ours[key]}"[:300] for key, values in theirs.items() if key in ours and key not in raised | both and not near(values, ours[key])]
    missing = [key for key in theirs if key not in ours]
    if stopped or raised:
        kind, where = how_it_stopped(program, stopped)
        apart = within_noise(moved, apart, theirs, ours) if noises else apart
        return {"verdict": "differs", "where": f"{apart[0]}; and {kind}: {where}"} if apart else {"verdict": kind, "where": where}
    apart += [f"no line {key!r}" for key in missing]
    distances = parameters(program, "after")
    far = {name: d for name, d in distances.items() if not d <= CLOSE}
    if not apart and not far:
        return {"verdict": "agree", "where": f"{len(theirs)} lines, {len(distances)} parameters, the furthest {max(distances.values(), default=0):.0e}"}
    if noises:
        each = [parameters(program, noise) for noise in noises]
        torchs = {name: max(d.get(name, 0.0) for d in each) for name in far}
        beyond = {name: d for name, d in far.items() if not d <= TIMES_NOISE * torchs[name]}
        left = within_noise(moved, apart, theirs, ours)
        if not beyond and not left:
            wild = apart and max(distance(values, m.get(key, values)) for key, values in theirs.items() for m in moved) > TOO_FAR
            return {"verdict": "not judged" if wild else "as noise", "where": f"{len(far)} of {len(distances)} parameters, {len(apart)} of {len(theirs)} lines; the furthest {max([*far.values(), 0]):.0e}"}
        apart, far = left, beyond
    worst = sorted(far.items(), key=lambda pair: -pair[1] if pair[1] == pair[1] else -math.inf)[:3]
    return {"verdict": "differs", "where": "; ".join([*apart[:2], *(f"{name}: {d:.1e}" for name, d in worst)])}


def within_noise(moved: list[dict[str, list[str]]], apart: list[str], theirs: dict[str, list[str]], ours: dict[str, list[str]]) -> list[str]:
    """The lines that are apart by more than torch's own noise so far."""
    left, most = [], 0.0
    for key, values in theirs.items():
        most = max(most, *(distance(values, m.get(key, values)) for m in moved))
        line = next((text for text in apart if text.startswith(f"{key}: ")), None)
        if line and not (key in ours and distance(values, ours[key]) <= TIMES_NOISE * most):
            left.append(line)
    return left + [text for text in apart if text.startswith("no line")]


def lines(log: Path) -> dict[str, list[str]]:
    """Key → the words of each line that a driver wrote to be compared; a key that comes again is counted."""
    found: dict[str, list[str]] = {}
    for line in log.read_text(errors="replace").splitlines():
        if line.startswith("##\t"):
            _, key, text = line.split("\t", 2)
            times = sum(known == key or known.startswith(f"{key} (") for known in found)
            found[f"{key} ({times + 1})" if times else key] = text.split()
    return found


def near(one: list[str], other: list[str]) -> bool:
    return distance(one, other) <= CLOSE


def distance(one: list[str], other: list[str]) -> float:
    """How far the numbers of two lines are apart, in their size; infinite where their words differ."""
    if len(one) != len(other):
        return math.inf
    furthest = 0.0
    for a, b in zip(one, other, strict=True):
        if NUMBER.fullmatch(a) and NUMBER.fullmatch(b):
            u, v = float(a), float(b)
            if u != v and not (u != u and v != v):
                d = abs(u - v) / max(abs(u), 1e-3)
                furthest = max(furthest, d if d == d else math.inf)
        elif a != b:
            return math.inf
    return furthest


def parameters(program: Program, side: str) -> dict[str, float]:
    """Name → how far it is from torch's, in the size of its largest element; infinite where it is not there or has another shape."""
    found, kept = {}, program.kept(side)
    for name, path in program.kept("before").items():
        theirs = np.load(path)
        ours = {k[5:]: v for k, v in np.load(kept[name]).items()} if name in kept else {}
        for numbered in theirs.files:
            key, u = numbered[5:], theirs[numbered]
            if "num_batches_tracked" in key or not u.size:
                continue
            v = ours.get(key)
            d = math.inf if v is None or v.shape != u.shape else float(np.abs(u.astype("float64") - v).max() / max(np.abs(u).max(), 1e-3))
            found[f"{name.removesuffix('.npz')} {key}"] = d if d == d or not np.isnan(u).any() else 0.0
    return found


def how_it_stopped(program: Program, stopped: str) -> tuple[str, str]:
    """`told`, `refused` or `crash`, the worst of the tracebacks; and the last line of that traceback."""
    text = program.log("after").read_text(errors="replace")
    worst = ("told", "")
    tracebacks = text.split("Traceback (most recent call last):")[1:] or [stopped]
    for piece in tracebacks:
        kind = kind_of(program, piece)
        if not worst[1] or ("told", "refused", "crash").index(kind) > ("told", "refused", "crash").index(worst[0]):
            worst = kind, last_line(program, piece, stopped)
    return worst


def kind_of(program: Program, piece: str) -> str:
    """`told`: the statement of a frame stands under a finding; `refused`: mindport's own words."""
    project = str(program.folder / "after")
    for path, number in FRAME.findall(piece):
        if path.startswith(project) and Path(path).name != VENDORED and SAID.search(above(Path(path), int(number))):
            return "told"
    raised = FRAME.findall(piece)[-1:] or [("", "0")]
    own = [line for path, number in raised if Path(path).name == VENDORED for line in Path(path).read_text().splitlines()[int(number) - 1 : int(number)]]
    return "refused" if any(line.lstrip().startswith("raise ") for line in own) or "NotConverted" in piece else "crash"


def above(path: Path, number: int) -> str:
    """The comments right above a line."""
    text = path.read_text(errors="replace").splitlines()[: number - 1]
    first = len(text)
    while first and text[first - 1].lstrip().startswith("#"):
        first -= 1
    return "\n".join(text[first:])


def last_line(program: Program, piece: str, stopped: str) -> str:
    """Where in the project, and the error's own words."""
    frames = [(path, number) for path, number in FRAME.findall(piece) if path.startswith(str(program.folder / "after"))]
    place = f"{Path(frames[-1][0]).relative_to(program.folder / 'after')}:{frames[-1][1]} " if frames else ""
    words = [line for line in piece.splitlines() if re.match(r"^[A-Za-z_.]*(?:Error|Exception|Refused|Interrupt|Iteration|Warning)\b", line)]
    return place + (words[-1] if words else stopped)
