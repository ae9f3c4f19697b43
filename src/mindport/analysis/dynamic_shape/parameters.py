"""What a routine's parameters hold: by their types, by what calls pass, and by how the routine uses them.

Where nothing says what a parameter is, it is configuration (a number or an option, the same in every step), unless the routine
shows otherwise. The evidence is closed: a method or a subscript that only tensors have; in a function that works with PyTorch
and no NumPy, also those that arrays share with tensors (`apis.MARKING_TENSORS`, `apis.SHARED_WITH_ARRAYS`); a place among a tensor
function's arguments; a name that says that it holds the lengths of a batch's samples (`apis.LENGTHS`).
"""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from mindport.analysis.dynamic_shape import apis
from mindport.analysis.dynamic_shape.abstract import (
    BATCH,
    CONSTANT,
    TENSOR,
    UNKNOWN,
    Abstract,
    Level,
    join,
    of_unknown_parts,
)
from mindport.analysis.dynamic_shape.demanded import used_as_tensors
from mindport.analysis.dynamic_shape.loaders import is_batch
from mindport.analysis.dynamic_shape.masks import by_name, by_use, used_as_masks
from mindport.analysis.dynamic_shape.supposed_tensors import no_tensors
from mindport.analysis.dynamic_shape.texts import is_text
from mindport.inference import values as v
from mindport.source.defaults import defaults_of
from mindport.source.walking import walk

if TYPE_CHECKING:
    from mindport.analysis.dynamic_shape.engine import Engine, Routine
    from mindport.analysis.dynamic_shape.statements import Frame

#: The method by which a data set gives one sample.
BY_PLACE = "__getitem__"
_SAMPLE = Abstract(Level.DATA, sample=True)
#: Which sample is asked for: another one in every call.
_PLACE = Abstract(Level.DATA)
_ROWS = Abstract(element=Abstract(Level.DATA, element=Abstract(Level.DATA), length=Level.DATA, added=None), added=None)


def parameters(engine: Engine, routine: Routine) -> dict[str, Abstract]:
    """What each parameter holds when the routine begins."""
    from mindport.analysis.dynamic_shape.engine import from_facts, samples_parameter

    node = routine.node
    assert not isinstance(node, ast.Module)
    arguments = node.args
    env: dict[str, Abstract] = {}
    if routine.reads is None:
        routine.reads = _first_reads(node)
        routine.shown, routine.shown_at = used_as_tensors(engine, routine)
        routine.masks = used_as_masks(node)
    seen = routine.reads
    place = arguments.args[1] if routine.region == "data" and routine.in_class and routine.name == BY_PLACE and len(arguments.args) > 1 else None
    for parameter in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]:
        fact = routine.facts.value(seen[parameter.arg]) if parameter.arg in seen else v.Unknown()
        value = from_facts(fact)
        if isinstance(fact, v.Unknown) and not routine.prepares_data:
            value = BATCH if is_batch(parameter.arg) and not routine.runs_once else TENSOR if parameter.arg in routine.shown else _lengths(routine, parameter.arg, value)
        given = routine.given.get(parameter.arg)
        if given is not None:
            if given.tensor:
                value = replace(given, mask=given.mask or value.mask)
            else:
                value = join(given, value) if value.tensor else given
            if isinstance(fact, v.TensorValue) and fact.likely and not given.tensor and (given.element is not None or given.items is not None):
                value = given  # the calls say what it is
            if given.tensor and isinstance(fact, (v.Sequence, v.Builtin)):
                value = UNKNOWN  # an annotation or the calls say what it is
        if given is None and _ragged(fact) and not routine.prepares_data and not routine.name.endswith("__init__"):
            value = _ROWS
        if routine.collates and parameter.arg == samples_parameter(arguments):
            value = Abstract(Level.DATA, element=_SAMPLE, sample=True)
        if is_text(routine, parameter.arg, fact) and value in (UNKNOWN, CONSTANT):
            value = Abstract(Level.DATA, length=Level.DATA, element=Abstract(Level.DATA, text=True), text=True)
        if value.tensor and not value.loader and (given is None or not given.tensor) and isinstance(fact, v.TensorValue) and fact.likely and parameter.arg in no_tensors(routine):
            value = given or _lengths(routine, parameter.arg, UNKNOWN)
        if value.tensor and given is None and isinstance(fact, v.TensorValue) and fact.likely and _is_number(parameter.arg):
            value = UNKNOWN
        if not routine.prepares_data and not routine.name.endswith("__init__") and (given is None or given.tensor):
            value = by_use(parameter.arg, routine.masks, by_name(parameter.arg, value, fact), fact)
        if parameter is place and not value.tensor:
            value = _PLACE
        if value.tensor:
            value = replace(value, form=("parameter", id(node), parameter.arg))
        env[parameter.arg] = value
    if arguments.vararg is not None:
        env[arguments.vararg.arg] = routine.given.get("*", UNKNOWN)
    if arguments.kwarg is not None:
        env[arguments.kwarg.arg] = routine.given.get("**", Abstract(keyed=()))
    return env


def as_used(frame: Frame, target: ast.Name, value: Abstract) -> Abstract:
    """What a name is bound to of which nothing is known, by how the function uses it: ``for h, s in zip(hidden, starts)`` with ``s.cumsum(0)``."""
    routine = frame.routine
    if value != UNKNOWN and not of_unknown_parts(value) or routine.prepares_data or target.id not in routine.shown | routine.masks or not frame.untyped(target):
        return value
    shown = TENSOR if target.id in routine.shown else value
    return by_use(target.id, routine.masks, shown, frame.fact(target))


def _ragged(fact: v.Value) -> bool:
    """``list[list[int]]``: numbers of each sample, as many as it has."""
    inner = fact.element if isinstance(fact, v.Sequence) and fact.items is None else None
    return isinstance(inner, v.Sequence) and inner.items is None and inner.type == "list" and isinstance(inner.element, v.Builtin) and inner.element.type in ("int", "float")


def _lengths(routine: Routine, name: str, otherwise: Abstract) -> Abstract:
    """A parameter that is called after the lengths of a batch's samples: other ones in every step."""
    arguments = routine.node.args  # type: ignore[union-attr]
    constant = routine.name.endswith("__init__") or name in defaults_of(arguments)
    words = name.lower().split("_")
    counted = words[-1] in apis.LENGTHS or words[-1] in apis.OWNERS and words[-2:-1] == ["per"]
    return Abstract(Level.DATA) if not constant and counted else otherwise


def _is_number(name: str) -> bool:
    """Whether a parameter of a forward pass, which else is a tensor, is called as numbers are."""
    words = name.lower().split("_")
    return words[-1] in apis.NUMBER_WORDS or words[0] in apis.COUNTING_WORDS


def _first_reads(node: ast.AST) -> dict[str, ast.Name]:
    """Where each parameter is read first: before it can be bound anew."""
    arguments = node.args  # type: ignore[attr-defined]
    wanted = {a.arg for a in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]}
    found: dict[str, ast.Name] = {}
    for inner in walk(node):
        if isinstance(inner, ast.Name) and inner.id in wanted and isinstance(inner.ctx, ast.Load):
            before = found.get(inner.id)
            if before is None or (inner.lineno, inner.col_offset) < (before.lineno, before.col_offset):
                found[inner.id] = inner
    return found
