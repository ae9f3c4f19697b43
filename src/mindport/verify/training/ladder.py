"""The whole ladder: torch's run, its perturbed runs, MindSpore's run from torch's first values, the rungs, and MindSpore's run with its graphs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec

from mindport.verify.training import as_run, kinks
from mindport.verify.training.digest import same
from mindport.verify.training.pair import Pair, value
from mindport.verify.training.plan import TrainSpec, check
from mindport.verify.training.recorded import Run
from mindport.verify.training.result import RUNGS, Ladder
from mindport.verify.training.rungs import climb
from mindport.verify.training.sides import record_mindspore, record_torch
from mindport.weights.layout import Layout

Say = Callable[[str], None]


def climb_ladder(plan: TrainSpec, workdir: Path, say: Say = lambda sentence: None) -> Ladder:
    """Run both sides and judge; recordings stay in `workdir`, and those that are still right are not made again.

    Raises `SpecError` for a wrong plan. What the user's code does wrong is in the result's `troubles`.
    """
    check(plan)
    workdir = workdir.resolve()
    ladder, pair = _climbed(plan, workdir, say)
    where = workdir
    if pair is not None and kinks.suspected(ladder.rungs[RUNGS.index("gradients")]):
        ladder, pair, plan, where = _off_the_kink(ladder, pair, plan, workdir, say)
    if pair is not None and ladder.verdict == "fails":
        from mindport.verify.training.departing import find

        ladder.departure = find(pair, ladder, plan, where, say)
    save(ladder, workdir)
    return ladder


def _climbed(plan: TrainSpec, workdir: Path, say: Say) -> tuple[Ladder, Pair | None]:
    """All runs and rungs from one start; the pair is None where a side gave nothing to compare."""
    workdir.mkdir(parents=True, exist_ok=True)
    ladder = Ladder()
    say("torch: the reference run")
    torch = record_torch(plan, workdir, "torch", {}, ladder)
    if torch is None:
        save(ladder, workdir)
        return ladder, None
    if torch.start.get("seeded") is False:
        ladder.notes.append("the script sets no seed: torch, MindSpore, NumPy and Python's random were seeded with 0 on both sides")
    others = []
    noise = [(f"perturbed-{n}", {"perturb": n}) for n in range(1, plan.noise + 1)]
    for name, extra in noise + ([("float64", {"double": True})] if plan.float64 else []):
        say(f"torch: its own noise ({name})")
        trial = Ladder()
        run = record_torch(plan, workdir, name, extra, trial)
        if run is None:
            ladder.notes.append(f"no noise from {name}: {'; '.join(t.message for t in trial.troubles)[:300]}")
        elif not _same_data(torch, run):
            # What came of other data is no rounding.
            ladder.notes.append(f"no noise from {name}: its batches are others")
        else:
            others.append(run)
            if len(run.steps) < len(torch.steps):
                ladder.notes.append(f"noise from {name} up to step {len(run.steps)} only: {'; '.join(t.message for t in trial.troubles)[:300]}")
    say("mindspore: the converted run")
    layouts: dict[int, Layout] = {}
    mindspore = record_mindspore(plan, workdir, layouts, ladder)
    if mindspore is None:
        return ladder, None
    pair = Pair(torch, mindspore, others, layouts)
    ladder.curves = {"torch": [value(s) for s in torch.steps], "mindspore": [value(s) for s in mindspore.steps]}
    climb(pair, ladder, plan)
    as_run.climb(pair, ladder, plan, workdir, say)
    return ladder, pair


def _off_the_kink(ladder: Ladder, pair: Pair, plan: TrainSpec, workdir: Path, say: Say) -> tuple[Ladder, Pair, TrainSpec, Path]:
    """The ladder from moved first values, where torch's own gradients jump as far as the two sides differ; else what was found."""
    rung = ladder.rungs[RUNGS.index("gradients")]
    last = max(step.total for _, step, _ in pair.first_steps())
    jumps = []
    for n in range(1, kinks.TRIALS + 1):
        say(f"torch: its gradients beside the first values ({n})")
        run = record_torch(plan, workdir, f"beside-{n}", {"perturb": n, "reach": kinks.REACH, "steps": last}, Ladder())
        if run is not None and _same_data(pair.torch, run):
            jumps.append(run)
    if not kinks.torch_jumps(Pair(pair.torch, pair.mindspore, jumps, pair.layouts), rung):
        return ladder, pair, plan, workdir
    for start in range(1, kinks.STARTS + 1):
        say(f"both: from first values moved by a thousandth ({start})")
        moved, folder = msgspec.structs.replace(plan, move=start), workdir / f"moved-{start}"
        again, second = _climbed(moved, folder, say)
        found = again.rungs[RUNGS.index("gradients")]
        if second is not None and found.verdict == "passes":
            count = sum(t.verdict != "equal" for t in rung.tensors)
            flips = "; ".join(kinks.flipped(pair))
            found.message += ", from first values moved by a thousandth"
            found.notes.append(
                f"from the program's own first values {count} are apart, about as far as torch's own jump when its parameters move by "
                f"{kinks.REACH:g}: a value lies within rounding of a kink" + (f" (on one side above zero only: {flips})" if flips else ""),
            )
            return again, second, moved, folder
    return ladder, pair, plan, workdir


def _same_data(torch: Run, other: Run) -> bool:
    """Whether a run that shows torch's noise got the reference's batches, up to rounding."""
    return all(
        one.keys() == two.keys() and all(same(one[name], two[name]) for name in one)
        for one, two in zip(torch.batches, other.batches, strict=False)
    )


def save(ladder: Ladder, workdir: Path) -> None:
    """Write ``ladder.json``, whole or not at all."""
    part = workdir / "ladder.json.part"
    part.write_bytes(msgspec.json.format(msgspec.json.encode(ladder)))
    part.replace(workdir / "ladder.json")
