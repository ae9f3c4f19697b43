"""A network's parameters, multiply-adds and shapes, part by part."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from mindport.analysis.network_run import attributes
from mindport.analysis.network_run.layer_rules import HOLDERS
from mindport.analysis.network_run.statements import Run
from mindport.analysis.network_run.values import Instance, Parameter, Scope, Shape, Tensor, Undecided, Unknown

#: Modules of a network whose sizes are given, and how deep a part may lie.
_MOST_PARTS, _DEEPEST = 40, 2


@dataclass(frozen=True)
class Part:
    """A module inside a network. `parameters`, `macs`, `outputs`: None where they are not known (`why`)."""

    path: str
    kind: str
    parameters: int | None
    macs: int | None = None
    outputs: tuple[Shape | None, ...] | None = None
    why: str = ""


@dataclass
class Sizes:
    """What a run of a network says. `why`: why the count is not known; `stopped`: why the shapes end somewhere."""

    parameters: int | None = None
    why: str = ""
    macs: int | None = None
    output: tuple[Shape | None, ...] | None = None
    stopped: str = ""
    parts: list[Part] = field(default_factory=list)


def unknown(why: str | Undecided | RecursionError) -> Sizes:
    """Nothing is known, and why."""
    return Sizes(why=why if isinstance(why, str) else _said(why))


def sizes_of(run: Run, made: Instance, inputs: tuple[Shape, ...] | None, scope: Scope) -> Sizes:
    """What a constructed network has, and what it gives for tensors of these shapes where they are given."""
    found = Sizes()
    found.parameters, found.why = parameters(made)
    if inputs is not None:
        try:
            result = run.call(made, tuple(Tensor(shape) for shape in inputs), {}, scope)
            found.output = shapes(result)
        except (Undecided, RecursionError) as reason:
            found.stopped = _said(reason)
        found.macs = None if found.stopped else macs(made)
    else:
        found.stopped = "the input's shape is not known"
    found.parts = list(_parts(made))[:_MOST_PARTS]
    return found


def _said(reason: Undecided | RecursionError) -> str:
    if isinstance(reason, RecursionError):
        return "it is nested too deeply"
    return reason.why + (f" ({reason.place})" if reason.place else "")


def parameters(module: Instance) -> tuple[int | None, str]:
    """How many parameters a module and all inside it have, each counted once; None and why."""
    total, seen = 0, set()
    for _, each in module.walk():
        if each.unknown:
            return None, each.unknown[0]
        try:
            own: list[Any] = list(attributes.parameters_of(each).values()) if each.layer and each.layer not in HOLDERS else []
        except Undecided as reason:
            return None, reason.why
        own += [value for value in each.attributes.values() if isinstance(value, Parameter)]
        for parameter in own:
            if id(parameter) in seen:
                continue
            seen.add(id(parameter))
            if parameter.size is None:
                return None, f"the shape of a parameter of {each.kind} is not known"
            total += parameter.size
    return total, ""


def macs(module: Instance) -> int | None:
    """Multiply-adds of the convolutions and linear layers in it that were called."""
    total = 0
    for _, each in module.walk():
        if each.macs is None:
            return None
        total += each.macs
    return total


def shapes(value: Any) -> tuple[Shape | None, ...]:
    """The shapes in a result; None for a tensor whose shape is not known."""
    if isinstance(value, Tensor):
        return (value.shape,)
    if isinstance(value, (list, tuple)):
        return tuple(shape for item in value for shape in shapes(item))
    if isinstance(value, dict):
        return tuple(shape for item in value.values() for shape in shapes(item))
    return (None,) if isinstance(value, Unknown) else ()


def _parts(module: Instance, path: str = "", deep: int = 1) -> Iterator[Part]:
    for name, child in module.children():
        inner = f"{path}.{name}" if path else name
        count, why = parameters(child)
        yield Part(inner, child.kind, count, macs(child) if child.calls or _called(child) else None, shapes(child.outputs[0]) if child.outputs else None, why)
        if deep < _DEEPEST:
            yield from _parts(child, inner, deep + 1)


def _called(module: Instance) -> bool:
    return any(each.calls for _, each in module.walk())
