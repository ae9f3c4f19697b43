"""The whole ladder: torch's run, its perturbed runs, MindSpore's run from torch's first values, the rungs."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from mindport.verify.result import Trouble
from mindport.verify.training import kinks
from mindport.verify.training.digest import same
from mindport.verify.training.journal import BY_HAND
from mindport.verify.training.launch import Ending, watched
from mindport.verify.training.pair import Pair, value
from mindport.verify.training.plan import TrainSide, TrainSpec, check, fingerprint, place
from mindport.verify.training.recorded import Run, load_run
from mindport.verify.training.result import RUNGS, Ladder
from mindport.verify.training.rungs import climb
from mindport.weights.array import WeightError
from mindport.weights.derivation import derive
from mindport.weights.layout import Layout
from mindport.weights.transfer import convert_file
from mindport.weights.tree import Tree

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


def common_job(plan: TrainSpec) -> dict[str, Any]:
    """What both sides' recordings are asked for."""
    moved = {"move": {"seed": plan.move, "by": kinks.START}} if plan.move else {}
    return {"detail": True, "steps": plan.steps, "dropout": plan.dropout, "share": plan.share_random, "seed": 0, **moved}


def record_torch(plan: TrainSpec, workdir: Path, name: str, extra: dict[str, Any], ladder: Ladder) -> Run | None:
    """One of torch's runs, from `workdir` where it stands there already."""
    job = {**common_job(plan), **extra, "framework": "torch"}
    if extra:
        # Another dtype draws other first values and shuffles otherwise: they are the reference's.
        job["reference"] = str(workdir / "torch")
    return _recorded(plan, plan.torch, workdir / name, job, "torch", ladder, None)


def record_mindspore(plan: TrainSpec, workdir: Path, layouts: dict[int, Layout], ladder: Ladder, **extra: Any) -> Run | None:
    """MindSpore's run: each model gets torch's values before its first call. `layouts` is filled."""
    folder = workdir / extra.pop("folder", "mindspore")
    job = {**common_job(plan), **extra, "framework": "mindspore", "handshake": True, "torch": str(workdir / "torch")}
    reference = load_run(workdir / "torch")
    job["by_hand"] = sum(step.optimizer == BY_HAND for step in reference.steps) if reference is not None else 0
    run = _recorded(plan, plan.mindspore, folder, job, "mindspore", ladder, lambda: _serve(folder, workdir / "torch", layouts))
    for path in sorted(folder.glob("roots/*/layout.json")):
        layouts[int(path.parent.name)] = Layout.load(path)
    return run


def _basis(done: Path) -> str:
    """What torch's run was made with; something new each time where it was ended and will be made again."""
    return done.read_text() if done.is_file() else f"ended at {time.time()}"


def _recorded(
    plan: TrainSpec, side: TrainSide, folder: Path, job: dict[str, Any], label: str, ladder: Ladder,
    serve: Callable[[], str | None] | None,
) -> Run | None:
    # MindSpore's run depends on torch's values as well.
    basis = _basis(folder.parent / "torch" / "done.json") if serve is not None else ""
    mark = json.dumps([fingerprint(plan, side, job), basis])
    done = folder / "done.json"
    seconds = 0.0
    if not (done.is_file() and done.read_text() == mark):
        began = time.monotonic()
        environment = dict(side.environment)
        if label == "mindspore":
            # Compiled code has no layers to look at, and bakes in what is drawn.
            environment.setdefault("MS_JIT", "0")
        ending = watched(
            [side.python, *plan.words], place(plan, side.folder), folder, job, environment=environment,
            path=[str(place(plan, p)) for p in side.path], timeout=plan.timeout, serve=serve,
        )
        seconds = round(time.monotonic() - began, 2)
        trouble = _trouble(ending, load_run(folder))
        if trouble:
            ladder.troubles.append(Trouble(label, trouble))
        elif ending.code == 0:
            part = folder / "done.part"
            part.write_text(mark)
            part.replace(done)
    run = load_run(folder)
    if run is not None and run.start:
        ladder.frameworks[label] = run.framework
        ladder.seconds.setdefault(label, seconds)
        ladder.notes += [f"{label}: {note}" for note in run.notes]
    if run is None or not (run.steps or label == "mindspore" and run.roots):
        return None
    # Of a program that died, the lower rungs still tell how far it was right.
    return run


def _trouble(ending: Ending, run: Run | None) -> str | None:
    """Why a run cannot be used as a whole; steps before a crash are still compared."""
    if run is None:
        if ending.code == 0 and not ending.expired and not ending.trouble:
            return "the command ended without training: no model was called and no optimizer took a step in it"
        return ending.sentence()
    if ending.code != 0 or ending.expired or ending.trouble:
        return f"{ending.sentence()} (after {len(run.steps)} steps)"
    return None if run.steps else "no optimizer took a step: the ladder needs a training run"


def _serve(folder: Path, torch: Path, layouts: dict[int, Layout]) -> str | None:
    """Give every waiting model its values, in MindSpore's names and layouts."""
    for asked in folder.glob("roots/*/tree.json"):
        number = int(asked.parent.name)
        if number in layouts:
            continue
        source = torch / "roots" / str(number)
        if not (source / "tree.json").is_file():
            return f"MindSpore's program calls a model number {number + 1} that torch's does not"
        try:
            layout = derive(Tree.load(asked), Tree.load(source / "tree.json"))
            weights = asked.parent / "weights.ckpt"
            moved = any(e.name is not None for e in layout.entries.values())
            moved = moved and bool(convert_file(source / "weights.pth", weights, layout).moved)
        except WeightError as error:
            return f"torch's values cannot be moved into model number {number + 1}: {error}"
        layout.save(asked.parent / "layout.json")
        layouts[number] = layout
        places = {e.name: e.path or e.name for e in layout.entries.values() if e.kind == "buffer" and e.name is not None}
        answer = asked.parent / "placement.part"
        answer.write_bytes(msgspec.json.encode({
            "weights": str(weights) if moved else None, "buffers": places, "mindspore_only": layout.mindspore_only,
        }))
        answer.replace(asked.parent / "placement.json")
    return None
