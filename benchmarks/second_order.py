"""Is the verdict on second gradients right? ``python benchmarks/second_order.py [NAME…]``.

For each network of second_order_networks.py: what `mindport analyze` says of its double backward from the source alone, and
what running the converted program gives, compared with torch: in graph mode (as `mindport convert` writes it) and with the
same step in PyNative. Results: benchmarks/results/second_order.json; ``--page`` writes docs/second-order.md from them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
RESULTS = HERE / "results" / "second_order.json"
PAGE = HERE.parent / "docs" / "second-order.md"
#: What was run once, of programs that are not committed (2026-11-22).
FRESH = (
    "Fifteen fresh networks (2026-11-22: R1, a PINN, Sobolev training, path length, a Langevin step, gates, GLU, RMS norm, a flattened convolution, weight and spectral norm, an LSTM cell, MAML of two layers, a Hessian",
    "times a vector, a critic over one axis): 13 convert, four of them after the network was called a second time as MP401 advises; MAML with two parameters and a gradient by `net.a.weight` are refused. At first contact the verdict",
    "was right for 11 of 13 in graph mode and for 6 of 13 in PyNative, and *works* was wrong for weight and spectral norm (graph) and for the path length and the critic over one axis (PyNative). Since then none is told to work that does",
    "not: 12 and 8 of 13 are right. Weight norm and spectral norm compiled gave other gradients, silently, until their weights were properties (layers/computed_weights.py).",
)
#: Until the next sign of life, and networks in one process.
SECONDS = 300
PIECE = 10


def static(folder: Path) -> dict[str, str]:
    """F4 of `mindport analyze`: what it says of graph mode and of PyNative, the names that fail."""
    from mindport.report.analysis import analyze
    from mindport.source.discover import discover

    found = analyze(discover([folder]))
    section = next(s for s in found.sections if s.letter == "F")
    verdict = next(a for a in section.answers if a.row == "F4").value
    failing = verdict.removeprefix("fails: ") if verdict.startswith("fails: ") else ""
    unknown = verdict if verdict.startswith(("no run has measured", "depends on the arguments")) else ""
    eager, _, untold = verdict.partition("PyNative fails: ")[2].partition(")")
    if untold:
        unknown = untold.lstrip("; ")
    return {"graph": unknown or ("fails" if failing else "works"), "failing": failing, "pynative": "fails" if failing or eager else unknown or "works", "eager": eager}


def measured(folders: list[Path]) -> dict[tuple[str, str], dict[str, Any]]:
    """(folder's name, mode) → what the worker says; one that crashes or takes too long is told so, and the rest goes on."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    left = list(folders)
    environment = dict(os.environ, GLOG_v="4", OMP_NUM_THREADS="1")
    while left:
        command = [sys.executable, str(HERE / "second_order_worker.py"), *map(str, left)]
        begun = ""
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment, cwd=left[0]) as worker:
            assert worker.stdout is not None
            clock = threading.Timer(SECONDS, worker.kill)
            for line in worker.stdout:
                clock.cancel()
                clock = threading.Timer(SECONDS, worker.kill)
                clock.start()
                if line.startswith("BEGIN "):
                    begun = Path(line[6:].strip()).name
                    left = [f for f in left if f.name != begun]
                elif line.startswith("RESULT "):
                    told = json.loads(line[7:])
                    found[begun, told["mode"]] = told
            clock.cancel()
        if not begun:
            raise RuntimeError("the worker does not start")
        for mode in ("torch", "graph", "pynative"):
            found.setdefault((begun, mode), {"verdict": "crash", "message": "the process ended, or took too long"})
    return found


def converted(folder: Path) -> tuple[Path, list[str]]:
    """The MindSpore program, and the findings that block it."""
    from mindport.convert import convert, write
    from mindport.source.discover import discover

    out = folder.parent / "converted"
    made = convert(discover([folder]))
    write(made, out)
    return out, [f"{f.code} {f.message}" for f in made.findings if f.risk == "blocker" and f.code != "MP411"]


def run(programs: dict[str, str]) -> Iterator[dict[str, Any]]:
    """Networks by name, a few in one process."""
    with tempfile.TemporaryDirectory(prefix="mindport-second-") as place:
        rows: dict[str, dict[str, Any]] = {}
        for number, (name, text) in enumerate(programs.items()):
            folder = Path(place) / str(number) / "torch_side"
            folder.mkdir(parents=True)
            (folder / "program.py").write_text(text)
            rows[str(number)] = {"name": name, "static": static(folder), "blockers": converted(folder)[1]}
        found = measured([Path(place) / number for number, row in rows.items() if not row["blockers"]])
        for number, row in rows.items():
            for mode in ("graph", "pynative") if not row["blockers"] else ():
                row[mode] = judged(found[number, "torch"], found[number, mode])
            yield row


def judged(right: dict[str, Any], told: dict[str, Any]) -> dict[str, str]:
    """`agrees`, or how not: within 1e-3 of the largest value of each array (float32, two steps)."""
    if "values" not in told or "values" not in right:
        side = told if "values" not in told else right
        return {"verdict": str(side["verdict"]), "message": str(side.get("message", ""))[:200]}
    import numpy as np

    worst = 0.0
    if len(right["values"]) != len(told["values"]):
        return {"verdict": "differs", "message": f"{len(right['values'])} arrays in torch, {len(told['values'])} in MindSpore"}
    for one, other in zip(right["values"], told["values"], strict=True):
        a, b = np.array(one), np.array(other)
        if a.shape != b.shape or not np.isfinite(b).all():
            return {"verdict": "differs", "message": "shapes differ, or a value is not finite"}
        worst = max(worst, float(np.abs(a - b).max() / max(np.abs(a).max(), 1e-3)))
    return {"verdict": "agrees" if worst < 1e-3 else "differs", "message": f"largest difference {worst:.1e} of the largest value"}


def verdict_agrees(row: dict[str, Any], mode: str) -> bool:
    """Did analyze foretell what running showed?"""
    return (row["static"][mode] == "works") == (row.get(mode, {}).get("verdict") == "agrees") and row["static"][mode] in ("works", "fails")


def page(rows: list[dict[str, Any]]) -> str:
    """The table, and how often the verdict was right."""
    ran = [r for r in rows if not r["blockers"]]
    open_ones = sum(r["static"]["graph"] not in ("works", "fails") for r in ran)
    counts = {mode: sum(verdict_agrees(r, mode) for r in ran) for mode in ("graph", "pynative")}

    def too_good(mode: str) -> int:
        return sum(r["static"][mode] == "works" and r[mode]["verdict"] != "agrees" for r in ran)

    lines = [
        "# Second gradients: the verdict beside running", "",
        "Made by `python benchmarks/second_order.py` (MindSpore 2.10.0, torch 2.13.0, CPU). Each network is trained for two steps with a penalty on",
        "the gradient of its score, or takes an inner step of gradient descent inside its loss. *Verdict*: what `mindport analyze` says from the",
        "source alone (F4). *Running*: the converted program against torch, losses and all parameters, in graph mode (as `mindport convert` writes",
        "it) and with the same step in PyNative.", "",
        f"Of {len(rows)} networks {len(ran)} convert. The verdict is right for **{counts['graph']} in graph mode** and **{counts['pynative']} in PyNative**;",
        f"for {open_ones} it says that it depends on the arguments, or that nothing was measured (counted as not right).",
        f"Where it says *works* and running does not agree: {too_good('graph')} in graph mode, {too_good('pynative')} in PyNative.", "",
        "PyNative (MindSpore 2.10) loses terms in the backward pass of `sum`, `mean` and other reductions that drop an axis, of `matmul`, and of linear layers with",
        "inputs of more than two axes; with `keepdim=True`, and with two axes, it is right. So a reduction is harmless where the gradient that comes back to it is",
        "constant: behind the last nonlinear step (`score.sum()`, a mean over the critic's map). `mindport analyze` says *works* in PyNative only where it can",
        "follow that (`analysis/constant_cotangent.py`) or count two axes (`analysis/axes.py`); a word that chooses an algorithm which no sample measured is never *works*.", "",
        "So do steps that change axes (`view`, `flatten`, `squeeze`, `unsqueeze`) behind a nonlinear one, and convolutions over one axis, which are made of them; on the input itself",
        "they are right, which the verdict does not tell apart (it says *fails*).", "", *FRESH, "",
        "| network | verdict, graph | running, graph | verdict, PyNative | running, PyNative | fails by name |", "| --- | --- | --- | --- | --- | --- |",
    ]  # fmt: skip
    for r in rows:
        if r["blockers"]:
            lines.append(f"| {r['name']} | {r['static']['graph']} | not converted: {r['blockers'][0][:80]} | | | |")
            continue
        cells = [r["name"]]
        for mode in ("graph", "pynative"):
            mark = "" if verdict_agrees(r, mode) else " ✗"
            cells += [r["static"][mode], f"{r[mode]['verdict']}{mark}"]
        lines.append("| " + " | ".join([*cells, r["static"]["failing"] or r["static"]["eager"]]) + " |")
    wrong = [(r, mode) for r in ran for mode in ("graph", "pynative") if not verdict_agrees(r, mode)]
    lines += ["", "## Where the verdict was wrong (✗)", ""]
    lines += [f"* {r['name']}, {mode}: {r['static'][mode]} foretold, {r[mode]['verdict']}: {r[mode]['message']}" for r, mode in wrong] or ["nowhere"]
    return "\n".join(lines) + "\n"


def main(names: list[str]) -> int:
    """Run the named networks, or all without a result."""
    from second_order_networks import programs

    rows: dict[str, dict[str, Any]] = {r["name"]: r for r in json.loads(RESULTS.read_text())} if RESULTS.exists() else {}
    known = programs()
    todo: dict[str, str] = {}
    again = "--static" in names
    wanted = [n for n in names if not n.startswith("--")]
    for name, text in known.items():
        if "--page" in names or (wanted and name not in wanted) or (not wanted and name in rows and not again):
            continue
        if again and name in rows:  # the verdict alone: what running showed stays
            with tempfile.TemporaryDirectory(prefix="mindport-second-") as place:
                (Path(place) / "program.py").write_text(text)
                rows[name]["static"] = static(Path(place))
            continue
        todo[name] = text
    names_left = list(todo)
    while names_left:
        piece, names_left = names_left[:PIECE], names_left[PIECE:]
        for row in run({name: todo[name] for name in piece}):
            rows[row["name"]] = row
            print(row["name"], *(row.get(mode, {}).get("verdict") for mode in ("graph", "pynative")), row["blockers"][:1], flush=True)
        RESULTS.write_text("[\n" + ",\n".join(json.dumps(rows[n]) for n in known if n in rows) + "\n]\n")
    RESULTS.write_text("[\n" + ",\n".join(json.dumps(rows[n]) for n in known if n in rows) + "\n]\n")
    PAGE.write_text(page([rows[n] for n in known if n in rows]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
