"""Containers whose length follows from the values that they are made of: equal ones count once, runs are joined, some do not pass a test."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from mindport.analysis.dynamic_shape import apis
from mindport.analysis.dynamic_shape.abstract import (
    TENSOR,
    Abstract,
    Level,
    Origin,
    container,
    element_of,
    number,
    turns,
)
from mindport.inference import values as v

if TYPE_CHECKING:
    from mindport.analysis.dynamic_shape.calls import Given
    from mindport.analysis.dynamic_shape.statements import Frame


_LENGTH = v.Api("builtins.len")


def by_values(frame: Frame, node: ast.Call, name: str, given: Given) -> Abstract | None:
    """What a function of Python's standard library makes of values that change; None for any other."""
    if name.partition(".")[0] not in apis.STANDARD or not given.positional or frame.routine.name.endswith("__init__"):
        return None
    first = given.positional[0]
    inner, origin = element_of(first), Origin(frame.routine.file, node)
    changing = inner.level >= Level.RANDOM and not inner.text and not first.sample
    if name in apis.DISTINCT and changing:
        return Abstract(element=replace(inner, tensor=False, shape=frozenset()) if name not in apis.COUNTED else Abstract(Level.DATA), length=Level.DATA, added=None, origin=origin)
    if name in apis.GROUPING and changing:
        group = Abstract(element=inner, length=Level.DATA, added=None, origin=origin)
        return Abstract(element=container((inner, group)), length=Level.DATA, added=None, origin=origin)
    if name in apis.TESTED and len(node.args) > 1:
        over = given.positional[1]
        return Abstract(element=element_of(over), length=max(turns(over), passes(frame, node.args[0], over)), added=None, origin=origin)
    if name in apis.COMPRESSING and len(given.positional) > 1:
        chosen = element_of(given.positional[1])
        return Abstract(element=inner, length=max(turns(first), chosen.level if chosen.level >= Level.RANDOM else Level.CONSTANT), added=None, origin=origin)
    if name in apis.REDUCED and len(given.positional) > 1:
        return element_of(given.positional[1])
    if name.partition(".")[0] in apis.COMPUTING and max(value.level for value in given.all) >= Level.RANDOM:
        one = number(*(element_of(value) if value.element is not None else value for value in given.all))
        return replace(one, shape=frozenset(), element=replace(one, shape=frozenset()) if name in apis.GIVING_LISTS else None, origin=one.origin or origin)
    return None


def passes(frame: Frame, test: ast.expr, over: Abstract) -> Level:
    """How the number of elements differs that pass a test: ``filter(lambda i: i > 0, ids)``."""
    inner = element_of(over)
    if over.sample and inner.sample and frame.routine.collates:
        result = applied(frame, test, inner) if not isinstance(test, ast.Constant) else Abstract(Level.DATA)
        return Level.DATA if result is not None and result.decided_by_data else Level.CONSTANT
    if isinstance(test, ast.Constant):
        return inner.level if inner.level >= Level.RANDOM and not over.sample and not over.tensor else Level.CONSTANT
    result = applied(frame, test, inner)
    return max(result.level, Level.RANDOM) if result is not None and result.decided_by_data and not over.sample else Level.CONSTANT


def applied(frame: Frame, function: ast.expr, element: Abstract) -> Abstract | None:
    """What a function that an expression is gives of one element; None where it is not known."""
    from mindport.analysis.dynamic_shape.calls import called_with
    from mindport.analysis.dynamic_shape.expressions import evaluate

    if any(isinstance(o, v.Api) and o.name in apis.STACKING | apis.FACTORIES for o in v.options(frame.fact(function))):
        return replace(TENSOR, sample=False)
    if any(o == _LENGTH for o in v.options(frame.fact(function))):
        return Abstract(Level.DATA if element.sample and not element.picked else max(turns(element), Level.SHAPE), shape=element.shape if element.tensor else element.extent, origin=element.origin)
    if not isinstance(function, ast.Lambda) or len(function.args.args) != 1:
        return called_with(frame, function, element)
    held = dict(frame.env)
    frame.env[function.args.args[0].arg] = element
    result = evaluate(frame, function.body)
    frame.env.clear()
    frame.env.update(held)
    return result


def distinct(frame: Frame, node: ast.expr, keys: list[Abstract], value: Abstract) -> Abstract:
    """A set, or a dictionary by its keys, of what changes: equal ones count once."""
    if frame.routine.name.endswith("__init__") or frame.routine.prepares_data or not any(key.level >= Level.RANDOM and not key.text for key in keys):
        return value
    return replace(value, items=None, length=max(value.length, Level.DATA), added=None, origin=value.origin or Origin(frame.routine.file, node))


def of_sets(frame: Frame, node: ast.BinOp) -> Abstract | None:
    """``set(range(n)) - set(seen[user])``: as with `set.difference`, how many are left is another number each time; None for any other operation."""
    kinds = [frame.fact(part) for part in (node.left, node.right)]
    if not isinstance(node.op, (ast.Sub, ast.BitAnd, ast.BitXor)) or not all(isinstance(kind, v.Sequence) and kind.type == "set" for kind in kinds) or frame.routine.name.endswith("__init__"):
        return None
    return Abstract(Level.DATA, element=Abstract(Level.DATA), length=Level.DATA, added=None, origin=Origin(frame.routine.file, node))
