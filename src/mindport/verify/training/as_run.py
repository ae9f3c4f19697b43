"""The last rung: MindSpore's program once more as users run it, with its graphs on.

All other rungs see it operator by operator: compiled code shows no layers. A graph may compute something else, or nothing (what Python
holds is constant in it). So the same command runs again without ``MS_JIT=0``, from the same first values and batches: its loss curve, its
figures and its last parameters are judged as those of the run before. Inside of a graph, too, draws of a shape come from the streams that both
sides share (`mindspore_draws`); what else draws there draws MindSpore's own numbers: that it runs to its end, and that its losses move, is all
that can be said then.

Operator by operator MindSpore loses terms of gradients of gradients (docs/differences/graphs.md), which is why steps of second order are compiled.
Where the run operator by operator fails from the forward pass on, and something would be compiled, the run with graphs decides the rungs from the
first loss on, too. Forces that a model gives as a derivative of its energy are zeros operator by operator, and no layer shows in a graph.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from mindport.verify.training.launch import Ending, alone
from mindport.verify.training.pair import Pair, value
from mindport.verify.training.plan import TrainSpec, place
from mindport.verify.training.recorded import Run
from mindport.verify.training.result import RUNGS, Ladder, Rung
from mindport.verify.training.rungs import _by_tensors, _size, _tensor, loss_curve, metric
from mindport.verify.training.rungs import climb as climb_rungs
from mindport.verify.training.sides import record_as_run

#: How much longer than under the watch a program may take that is asked whether it crashes alone; seconds at least.
_LONGER, _LEAST = 3, 120
_SHOWN = 3
#: A last parameter may differ by this share of how far training moved it, and by the noise of torch and of the run operator by operator.
_SHARE = 1e-3


def climb(pair: Pair, ladder: Ladder, plan: TrainSpec, workdir: Path, say: Callable[[str], None]) -> None:
    """Judge the rung where all below pass; the program runs again only if it compiles something."""
    rung, first = ladder.rungs[RUNGS.index("as run")], pair.mindspore
    stopped = next((place for place, r in enumerate(ladder.rungs) if r.verdict in ("fails", "could not judge")), None)
    undecided = stopped is not None and stopped >= RUNGS.index("forward by layer") and bool(first.compiled) and not (first.drawn or first.shared)
    if ladder.troubles or ladder.verdict == "not reached" or not (stopped is None or undecided):
        return
    if not first.compiled:
        rung.verdict, rung.message = "passes", "nothing that ran is compiled: the run above is the run as it is"
        return
    say("mindspore: as users run it, with its graphs on")
    trial = Ladder()
    run = record_as_run(plan, workdir, first, trial)
    ladder.seconds["as run"] = trial.seconds.get("mindspore", 0.0)
    rung.notes.append(f"compiled, by the lines that call it: {_some(first.compiled)}")
    if stopped is not None:
        _instead(ladder, stopped, pair, run if not trial.troubles else None, plan)
        if ladder.verdict != "passes":
            return
    if trial.troubles:
        _crashed(rung, trial.troubles[0].message, plan, trial.seconds.get("mindspore", 0.0), workdir, say)
    elif run is None:
        rung.verdict, rung.message = "could not judge", "its graphs show neither models nor steps"
    else:
        _judge(rung, pair, run, plan, ladder.rungs[RUNGS.index("loss curve")], [] if stopped is not None else [first])


def _instead(ladder: Ladder, stopped: int, pair: Pair, run: Run | None, plan: TrainSpec) -> None:
    """The rungs from the failed one (a loss at first) on by the run with graphs, if all of them pass there; else all stays as it was found."""
    if run is None or not run.compiled:
        return
    found, start = Ladder(), max(stopped, RUNGS.index("loss of step 1"))
    climb_rungs(Pair(pair.torch, run, pair.others, pair.layouts), found, plan, start)
    if found.verdict == "passes":
        found.rungs[start].notes.append(f"judged with its graphs on: operator by operator ({ladder.rungs[stopped].message}) is not what runs")
        if stopped < start:
            ladder.rungs[stopped] = Rung(RUNGS[stopped], message="nothing to compare: a graph shows no layers")
        ladder.rungs[start:-1] = found.rungs[start:-1]
        ladder.curves["mindspore"] = [value(step) for step in run.steps]


def _judge(rung: Rung, pair: Pair, run: Run, plan: TrainSpec, curve: Rung, right: list[Run]) -> None:
    first = pair.mindspore
    if not run.compiled:
        return _say(rung, "could not judge", "the recorded run called what is compiled, this one did not (MS_JIT in the environment?)")
    if first.drawn:
        return _without_draws(rung, run, first)
    if [(r.kind, r.steps) for r in run.roots] != [(r.kind, r.steps) for r in first.roots]:
        return _say(rung, "could not judge", "a model is first called inside compiled code, and was not found there: it did not get torch's values")
    if "step" in first.hidden and (plan.steps or len(run.steps) != len(first.steps)):
        return _say(
            rung, "could not judge", f"whole steps are compiled ({_some(first.compiled)}): the program came to its end, {len(run.steps)} of {len(first.steps)} steps show",
        )
    again = Pair(pair.torch, run, pair.others, pair.layouts)
    # Past the horizon torch's own parameters say nothing.
    decided = curve.figures.get("decided", 0) == curve.figures.get("steps", 0)
    parts: list[Callable[[Rung], None]] = [
        lambda part: _no_loss(again, part) if "loss" in first.hidden else loss_curve(again, part),
        *([lambda part: _last_parameters(again, part, right)] if decided else []),
        lambda part: metric(again, part, plan),
    ]
    said = []
    for judge in parts:
        part = Rung("as run")
        judge(part)
        rung.figures |= part.figures
        if part.verdict == "fails" and first.shared:
            part.verdict = "could not judge"
            part.message += f" ({_some(first.shared)} draws inside compiled code, where the order of draws may be another)"
        if part.verdict in ("fails", "could not judge"):
            rung.tensors += part.tensors
            return _say(rung, part.verdict, f"with its graphs on: {part.message}")
        if part.verdict == "passes":
            said.append(part.message)
    _say(rung, "passes" if said else "could not judge", "; ".join(said) or "its graphs show neither losses nor parameters")


def _last_parameters(pair: Pair, rung: Rung, right: list[Run]) -> None:
    """What the models hold at the end: as near to torch as the run operator by operator (where it is `right`), and torch's own noise, allow."""
    for root in pair.torch.roots:
        name = f"last-root-{root.number}"
        prefix = f"{root.number}/"
        start, end = pair.torch.arrays(f"first-root-{root.number}"), pair.torch.arrays(name)
        plain = [{key: theirs for key, _, theirs in pair.matched(end, run.arrays(name), prefix) if theirs is not None} for run in right]
        noise = [*(run.arrays(name) for run in pair.others), *plain]
        for key, mine, theirs in pair.matched(end, pair.mindspore.arrays(name), prefix):
            moved = _size(mine - start[key].astype(np.result_type(mine, np.float32))) if key in start and start[key].shape == mine.shape else _size(mine)
            rung.tensors.append(_tensor("buffer", prefix + key, mine, theirs, _SHARE * moved + 2.4e-7 * _size(mine), noise, key))
    _by_tensors(rung, "the last parameters agree")


def _no_loss(pair: Pair, rung: Rung) -> None:
    if len(pair.mindspore.steps) != len(pair.torch.steps):
        _say(rung, "fails", f"torch takes {len(pair.torch.steps)} steps, MindSpore {len(pair.mindspore.steps)}")


def _without_draws(rung: Rung, run: Run, first: Run) -> None:
    """What draws inside of graphs draws other numbers than torch: only whether it trains at all can be seen."""
    losses = [value(step) for step in run.steps]
    before = [value(step) for step in first.steps]
    where = _some(first.drawn)
    if len(losses) != len(before):
        return _say(rung, "fails", f"operator by operator it takes {len(before)} steps, with its graphs on {len(losses)}")
    broken = next((i for i, (one, two) in enumerate(zip(losses, before, strict=True)) if np.isfinite(two) and not np.isfinite(one)), None)
    if broken is not None and "loss" not in first.hidden:
        return _say(rung, "fails", f"with its graphs on the loss of step {broken + 1} is {losses[broken]}, operator by operator {before[broken]:.6g}")
    if len(losses) > 1 and len(set(losses)) == 1 and len(set(before)) > 1:
        return _say(rung, "fails", f"with its graphs on every loss is {losses[0]:.6g}: they do not move")
    _say(rung, "could not judge", f"{where} draws inside compiled code, other numbers than torch; it ran to its end ({len(losses)} steps, last loss {losses[-1]:.6g}, operator by operator {before[-1]:.6g})")


def _crashed(rung: Rung, trouble: str, plan: TrainSpec, seconds: float, workdir: Path, say: Callable[[str], None]) -> None:
    """A crash counts where the program crashes without the watch, too."""
    say("mindspore: whether it ends so without being watched")
    ending = _alone(plan, max(_LEAST, _LONGER * seconds), workdir)
    if ending.expired or not ending.code:
        how = "ran to its end" if not ending.expired else "was still running when it was stopped"
        return _say(rung, "could not judge", f"under the watch {trouble}; alone the program {how}")
    _say(rung, "fails", f"with its graphs on {trouble}; alone {ending.sentence()}")


def _alone(plan: TrainSpec, timeout: float, workdir: Path) -> Ending:
    side = plan.mindspore
    return alone(
        [side.python, *plan.words], place(plan, side.folder), workdir / "mindspore-alone", path=[str(place(plan, p)) for p in side.path],
        environment=side.environment, timeout=min(timeout, plan.timeout),
    )


def _say(rung: Rung, verdict: str, message: str) -> None:
    rung.verdict, rung.message = verdict, message  # type: ignore[assignment]


def _some(lines: list[str]) -> str:
    return ", ".join(lines[:_SHOWN]) + (f" and {len(lines) - _SHOWN} more" if len(lines) > _SHOWN else "")
