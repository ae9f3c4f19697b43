"""Each side's recordings: what stands in the working folder and is still right is taken, else the command is run under the watch."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from mindport.verify.moved_weights import move_weights
from mindport.verify.result import Trouble
from mindport.verify.training import kinks
from mindport.verify.training.journal import BY_HAND
from mindport.verify.training.launch import Ending, watched
from mindport.verify.training.left_files import set_aside
from mindport.verify.training.plan import TrainSide, TrainSpec, fingerprint, place
from mindport.verify.training.recorded import Run, load_run
from mindport.verify.training.result import Ladder
from mindport.weights.array import WeightError
from mindport.weights.derivation import derive
from mindport.weights.layout import Layout
from mindport.weights.tree import Tree


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


def record_as_run(plan: TrainSpec, workdir: Path, first: Run, ladder: Ladder) -> Run | None:
    """MindSpore's run once more with its graphs on, from the values that its `first` run, operator by operator, was given."""
    by_hand = sum(step.optimizer == BY_HAND for step in first.steps)
    job = {
        **common_job(plan), "framework": "mindspore", "handshake": True, "torch": str(workdir / "torch"), "placed": str(first.folder),
        "by_hand": by_hand, "as_run": [[cell["number"], cell["made"], cell["compiled"]] for cell in first.cells], "drawn": bool(first.drawn or first.shared),
    }
    return _recorded(plan, plan.mindspore, workdir / "mindspore-as-run", job, "mindspore", ladder, lambda: None)


def _basis(done: Path) -> str:
    """What torch's run was made with; something new each time where it was ended and will be made again."""
    return done.read_text() if done.is_file() else f"ended at {time.time()}"


def _recorded(
    plan: TrainSpec, side: TrainSide, folder: Path, job: dict[str, Any], label: str, ladder: Ladder,
    serve: Callable[[], str | None] | None,
) -> Run | None:
    # MindSpore's run depends on torch's values as well.
    basis = _basis(folder.parent / "torch" / "done.json") if serve is not None else ""
    if "as_run" in job:
        basis += _basis(folder.parent / "mindspore" / "done.json")
    mark = json.dumps([fingerprint(plan, side, job), basis])
    done = folder / "done.json"
    seconds = 0.0
    if not (done.is_file() and done.read_text() == mark):
        began = time.monotonic()
        environment = dict(side.environment)
        if label == "mindspore" and "as_run" not in job:
            # Compiled code has no layers to look at, and bakes in what is drawn.
            environment.setdefault("MS_JIT", "0")
        project = place(plan, side.folder)
        with set_aside(project, folder.parent / "left" / label):
            ending = watched(
                [side.python, *plan.words], project, folder, job, environment=environment,
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
            weights = move_weights(source / "weights.pth", asked.parent, layout)
        except WeightError as error:
            return f"torch's values cannot be moved into model number {number + 1}: {error}"
        layout.save(asked.parent / "layout.json")
        layouts[number] = layout
        places = {e.name: e.path or e.name for e in layout.entries.values() if e.kind == "buffer" and e.name is not None}
        answer = asked.parent / "placement.part"
        answer.write_bytes(msgspec.json.encode({
            "weights": str(weights) if weights else None, "buffers": places, "mindspore_only": layout.mindspore_only,
        }))
        answer.replace(asked.parent / "placement.json")
    return None
