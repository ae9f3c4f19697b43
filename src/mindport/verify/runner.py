"""A whole comparison: torch's recording, the weights moved over, MindSpore's recording, the verdict."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from mindport.verify.arguments import Arguments
from mindport.verify.compare import compare_case, trouble_of
from mindport.verify.moved_weights import move_weights
from mindport.verify.processes import record
from mindport.verify.recordings import CaseRecord, Recording
from mindport.verify.result import CaseResult, Comparison, Trouble
from mindport.verify.spec import Side, Spec, SpecError, check, resolve
from mindport.weights.array import WeightError
from mindport.weights.derivation import derive
from mindport.weights.files import read, write
from mindport.weights.layout import Layout
from mindport.weights.tree import Tree


def run(spec: Spec, workdir: Path) -> Comparison:
    """Record both sides and compare; the files stay in `workdir`. Raises `SpecError` for a wrong spec.

    What the user's code does wrong is in the result's `troubles`, never an exception.
    """
    check(spec)
    workdir = workdir.resolve()
    workdir.mkdir(parents=True, exist_ok=True)
    arguments = Arguments(spec)
    common = _common(spec, arguments, workdir)
    torch_job = {**common, **side_job(spec, spec.torch, arguments, workdir / "torch")}
    mindspore_job = {**common, **side_job(spec, spec.mindspore, arguments, workdir / "mindspore")}
    arguments.save(workdir / "inputs.npz")
    torch_job["weights"] = _given_weights(spec, workdir)
    comparison = Comparison("could not run")
    cwd = Path(spec.folder)
    first = record("torch", spec.torch.python, torch_job, workdir / "torch", cwd, spec.timeout, lambda: None)
    if isinstance(first, Trouble):
        comparison.troubles.append(first)
        return comparison
    _describe(comparison, "torch", first)
    second = record(
        "mindspore", spec.mindspore.python, mindspore_job, workdir / "mindspore", cwd, spec.timeout,
        lambda: _place_weights(spec, workdir, first),
    )
    if isinstance(second, Trouble):
        comparison.troubles.append(second)
        return comparison
    _describe(comparison, "mindspore", second)
    if first.model and not second.model:
        message = "torch's target is a model and MindSpore's a function: give \"construct\" on both sides"
        comparison.troubles.append(Trouble("", message))
        return comparison
    layout = Layout.load(workdir / "layout.json") if first.model else None
    for case, one, two in zip(spec.cases, first.cases, second.cases, strict=True):
        comparison.cases.append(_judge(case.raises, one, two, layout, spec, comparison.troubles))
    verdicts = [case.verdict for case in comparison.cases]
    comparison.verdict = (
        "differs" if "differs" in verdicts else "could not run" if "could not run" in verdicts else "equal"
    )
    return comparison


def _common(spec: Spec, arguments: Arguments, workdir: Path) -> dict[str, Any]:
    cases = []
    for case in spec.cases:
        cases.append({
            "name": case.name, "args": arguments.encode(case.args, f"case {case.name!r}: args"),
            "kwargs": {k: arguments.encode(v, f"case {case.name!r}: {k}") for k, v in case.kwargs.items()},
        })
        cases[-1]["kwargs"] = {"$": "dict", "items": cases[-1]["kwargs"]}
    return {
        "cases": cases, "mode": spec.mode, "gradient": spec.gradient, "layers": spec.layers, "oracle": spec.oracle,
        "perturb": spec.perturb and spec.weights is None, "seed": spec.seed, "inputs": str(workdir / "inputs.npz"),
        "cotangents": str(workdir / "torch" / "cotangents.npz"),
    }


def side_job(spec: Spec, side: Side, arguments: Arguments, out: Path) -> dict[str, Any]:
    """The part of a recorder's job that says what to load."""
    module, _, name = side.target.rpartition(":")
    target = f"{resolve(spec, module)}:{name}" if module.endswith(".py") else side.target
    construct = None
    if side.construct is not None:
        construct = {
            "args": arguments.encode(side.construct.args, "construct: args"),
            "kwargs": arguments.encode({"dict": side.construct.kwargs}, "construct"),
        }
    return {
        "target": target, "path": [str(resolve(spec, p)) for p in side.path], "construct": construct,
        "prelude": str(resolve(spec, side.prelude)) if side.prelude else None, "out": str(out),
    }


def _given_weights(spec: Spec, workdir: Path) -> str | None:
    """The user's checkpoint in the one form that the torch recorder reads."""
    if spec.weights is None:
        return None
    try:
        write(workdir / "given.pth", read(resolve(spec, spec.weights)).arrays, "torch")
    except WeightError as error:
        raise SpecError(f"weights: {error}") from error
    return str(workdir / "given.pth")


def _place_weights(spec: Spec, workdir: Path, torch: Recording) -> Trouble | None:
    """Derive the layout, convert torch's weights, and tell the waiting process where they are."""
    if not torch.model:
        return Trouble("", "torch's target is a function and MindSpore's a model: give \"construct\" on both sides")
    try:
        if spec.layout is not None:
            layout = Layout.load(resolve(spec, spec.layout))
        else:
            mindspore_tree = Tree.load(workdir / "mindspore" / "tree.json")
            layout = derive(mindspore_tree, Tree.load(workdir / "torch" / "tree.json"))
        layout.save(workdir / "layout.json")
        weights = move_weights(workdir / "torch" / "weights.pth", workdir, layout)
    except WeightError as error:
        return Trouble("", f"the weights cannot be moved: {error}")
    places = {e.name: e.path or e.name for e in layout.entries.values() if e.kind == "buffer" and e.name is not None}
    (workdir / "mindspore" / "placement.json").write_bytes(msgspec.json.encode({
        "weights": str(weights) if weights else None, "buffers": places, "mindspore_only": layout.mindspore_only,
    }))
    return None


def _describe(comparison: Comparison, side: str, recording: Recording) -> None:
    comparison.frameworks[side] = recording.framework
    comparison.seconds[side] = recording.seconds
    comparison.notes += [f"{side}: {note}" for note in recording.notes]


def _judge(
    raises: str | None, torch: CaseRecord, mindspore: CaseRecord, layout: Layout | None, spec: Spec,
    troubles: list[Trouble],
) -> CaseResult:
    """One case's verdict, also where a side raised."""
    errors = {"torch": torch.error, "mindspore": mindspore.error}
    if raises is not None:
        result = CaseResult(torch.name, "equal")
        for side, error in errors.items():
            if error is None:
                result.notes.append(f"{side} does not raise {raises}")
                result.verdict = "differs"
            elif error["type"] != raises:
                result.notes.append(f"{side} raises {error['type']} instead of {raises}: {error['message']}")
                result.verdict = "differs"
        if result.verdict == "equal":
            result.notes.append(f"both raise {raises}")
        return result
    if any(errors.values()):
        for side, error in errors.items():
            if error is not None:
                troubles.append(trouble_of(side, torch.name, error, "the call failed"))
        return CaseResult(torch.name, "could not run")
    result = compare_case(torch, mindspore, layout, spec.tolerance)
    for side, error in (("torch", torch.gradient_error), ("mindspore", mindspore.gradient_error)):
        if error is None:
            continue
        trouble = trouble_of(side, torch.name, error, "the gradient cannot be computed")
        if result.verdict == "differs":
            # A wrong shape, say, also spoils the gradient: the difference is the finding.
            result.notes.append(f"{side}: {trouble.message}")
        else:
            result.verdict = "could not run"
            troubles.append(trouble)
    return result
