"""Lays a run over its baseline: does it converge alike, is it as fast, and where does its time go?

The two runs may draw other random numbers, so that their losses are compared as trends. Both curves are cut into ten
parts of the steps that both took. With the baseline's *drop* (mean of the first part less the mean of the last) and
its *scatter* (the standard deviation of the steps around the mean of their part), the trend is fine where the run's
mean lies within ``0.1 * |drop| + 2 * scatter / sqrt(steps in a part) + 0.01 * |mean|`` of the baseline's in nine of ten
parts, and in the last. Speed is fine where the median step takes at most 1.2 times as long, a first tenth (warm-up,
compilation) left out.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec
import numpy as np

from mindport.verify.training.metrics import figures, last
from mindport.verify.training.pair import value
from mindport.verify.training.recorded import Run, load_run

PARTS = 10
_LEAST = 20
SLOWER = 1.2
_SECONDS = ("data", "forward", "backward", "optimizer")
Judgement = Literal["fine", "better", "worse", "slower", "other schedule", "could not judge"]


class Series(msgspec.Struct):
    """One quantity over the steps, of the baseline and of the run."""

    name: str
    baseline: list[float]
    run: list[float]


class Verdict(msgspec.Struct):
    """One judgement and the sentence that says why."""

    what: str
    verdict: Judgement
    message: str


class Overlay(msgspec.Struct):
    """The whole comparison; `phases` are seconds a step, `layers` seconds by class of layers."""

    names: dict[str, str]
    series: list[Series]
    verdicts: list[Verdict]
    phases: dict[str, dict[str, float]] = msgspec.field(default_factory=dict)
    layers: dict[str, dict[str, float]] = msgspec.field(default_factory=dict)
    facts: list[tuple[str, str, str]] = msgspec.field(default_factory=list)
    notes: list[str] = msgspec.field(default_factory=list)
    version: Literal[1] = msgspec.field(default=1, name="mindport_overlay")

    @property
    def exit_code(self) -> int:
        """0 where all is fine, 1 where something is not, 2 where the trend could not be judged."""
        found = {v.verdict for v in self.verdicts}
        if found & {"worse", "slower", "other schedule"}:
            return 1
        return 2 if any(v.what == "convergence" and v.verdict == "could not judge" for v in self.verdicts) else 0


def overlay(baseline: Run, run: Run) -> Overlay:
    """Compare two recordings."""
    both = (baseline, run)
    names = {"baseline": baseline.framework, "run": run.framework}
    losses = Series("loss", *([value(s) for s in r.steps if s.loss] for r in both))
    rates = Series("learning rate", *([s.lr[0] if s.lr else float("nan") for s in r.steps] for r in both))
    norms = Series("gradient norm", *([float("nan") if s.gradient_norm is None else s.gradient_norm for s in r.steps] for r in both))
    times = Series("seconds a step", *([s.seconds.get("whole", 0.0) for s in r.steps] for r in both))
    made = Overlay(names, [losses, rates, norms, times], [trend(losses), schedule(rates), speed(times)])
    for label, one in zip(("baseline", "run"), both, strict=True):
        made.phases[label] = _phases(one)
        made.layers[label] = {k: v[0] for k, v in sorted(one.layers.items(), key=lambda kv: -kv[1][0])}
        if not one.ended:
            made.notes.append(f"the {label}'s recording is interrupted: it holds {len(one.steps)} steps")
    made.facts = _facts(baseline, run)
    return made


def overlay_logs(baseline: Path, run: Path, pattern: str | None = None) -> Overlay:
    """Compare what two programs printed: every figure that both name, by order of printing."""
    found = [figures(path.read_text(errors="replace"), pattern) for path in (baseline, run)]
    shared = [name for name in found[0] if name in found[1]]
    shared.sort(key=lambda name: ("loss" not in name, -len(found[0][name])))
    series = [Series(name, found[0][name], found[1][name]) for name in shared[:8]]
    verdicts = [trend(series[0])] if series else []
    if not series:
        verdicts = [Verdict("convergence", "could not judge", "the logs name no figure that both have")]
    facts = [(s.name + ", last", f"{s.baseline[-1]:.6g}", f"{s.run[-1]:.6g}") for s in series]
    return Overlay({"baseline": baseline.name, "run": run.name}, series, verdicts, facts=facts)


def trend(losses: Series) -> Verdict:
    """Whether the run's loss goes where the baseline's goes (the rule: this module's docstring)."""
    count = min(len(losses.baseline), len(losses.run))
    broken = next((i for i, v in enumerate(losses.run[:count]) if not np.isfinite(v)), None)
    if broken is not None and np.isfinite(losses.baseline[broken]):
        return Verdict("convergence", "worse", f"the run's {losses.name} is {losses.run[broken]} from step {broken + 1} on")
    if count < _LEAST:
        return Verdict("convergence", "could not judge", f"both have {count} values; {_LEAST} are needed")
    mine = [np.asarray(p, np.float64) for p in np.array_split(losses.baseline[:count], PARTS)]
    theirs = [np.asarray(p, np.float64) for p in np.array_split(losses.run[:count], PARTS)]
    drop = abs(float(mine[0].mean() - mine[-1].mean()))
    scatter = float(np.sqrt(np.mean([p.var() for p in mine])))
    allowed = [0.1 * drop + 2 * scatter / np.sqrt(len(p)) + 0.01 * abs(float(p.mean())) for p in mine]
    apart = [float(b.mean() - a.mean()) for a, b in zip(mine, theirs, strict=True)]
    good = sum(abs(d) <= limit for d, limit in zip(apart, allowed, strict=True))
    said = (
        f"{good} of {PARTS} parts agree; at the end {mine[-1].mean():.5g} and {theirs[-1].mean():.5g} "
        f"(apart by {abs(apart[-1]):.2g}, allowed {allowed[-1]:.2g})"
    )
    if good >= PARTS - 1 and abs(apart[-1]) <= allowed[-1]:
        return Verdict("convergence", "fine", said)
    return Verdict("convergence", "better" if apart[-1] < -allowed[-1] else "worse", said)


def schedule(rates: Series) -> Verdict:
    """Whether the learning rates are the same at every step that both took."""
    count = min(len(rates.baseline), len(rates.run))
    for place in range(count):
        one, two = rates.baseline[place], rates.run[place]
        if abs(one - two) > 1e-5 * max(abs(one), 1e-12):
            return Verdict("learning rate", "other schedule", f"at step {place + 1} it is {one:.6g} and {two:.6g}")
    if not count:
        return Verdict("learning rate", "could not judge", "no steps in common")
    return Verdict("learning rate", "fine", f"the same in {count} steps")


def speed(times: Series) -> Verdict:
    """Whether a step takes as long."""
    medians = []
    for values in (times.baseline, times.run):
        kept = values[max(1, len(values) // 10):]
        medians.append(float(np.median(kept)) if kept else float("nan"))
    if not all(np.isfinite(m) and m > 0 for m in medians):
        return Verdict("speed", "could not judge", "too few steps")
    ratio = medians[1] / medians[0]
    said = f"a step takes {medians[0] * 1e3:.1f} and {medians[1] * 1e3:.1f} ms: {ratio:.2f} times the baseline's (up to {SLOWER} is fine)"
    return Verdict("speed", "fine" if ratio <= SLOWER else "slower", said)


def _phases(run: Run) -> dict[str, float]:
    steps = run.steps[max(1, len(run.steps) // 10):] or run.steps
    found = {key: float(np.mean([s.seconds.get(key, 0.0) for s in steps])) for key in _SECONDS} if steps else {}
    if steps:
        whole = float(np.mean([s.seconds.get("whole", 0.0) for s in steps]))
        found["rest"] = max(0.0, whole - sum(found.values()))
    return found


def _facts(baseline: Run, run: Run) -> list[tuple[str, str, str]]:
    def told(one: Run) -> dict[str, str]:
        start = one.start
        kept = {
            "framework": one.framework, "Python": str(start.get("python", "")), "machine": str(start.get("machine", "")),
            "processors": str(start.get("processors", "")), "command": " ".join(map(str, start.get("arguments", []))),
            "seed": str(start.get("seed", "")), "steps": str(len(one.steps)), "ended": "yes" if one.ended else "no",
            "largest memory": f"{one.memory / 2**20:.0f} MiB" if one.memory else "",
        }
        return kept | {f"{name}, printed last": f"{v:.6g}" for name, v in last(one.printed()).items()}

    mine, theirs = told(baseline), told(run)
    return [(key, mine.get(key, ""), theirs.get(key, "")) for key in dict.fromkeys([*mine, *theirs])]


def recording(folder: Path) -> Run | None:
    """The recording in a folder, also where a ladder's working folder keeps it."""
    return load_run(folder) or load_run(folder / "mindspore")
