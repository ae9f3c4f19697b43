"""Random draws of Python and NumPy, by functions of a module or by a generator's methods."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from mindport.analysis.dynamic_shape import apis
from mindport.analysis.dynamic_shape.abstract import (
    CONSTANT,
    UNKNOWN,
    Abstract,
    Level,
    Origin,
    container,
    element_of,
)
from mindport.analysis.dynamic_shape.loaders import EPISODE
from mindport.analysis.dynamic_shape.polynomials import definitions
from mindport.inference import values as v

if TYPE_CHECKING:
    from mindport.analysis.dynamic_shape.calls import Given
    from mindport.analysis.dynamic_shape.statements import Frame


def generator(frame: Frame, node: ast.expr, value: Abstract) -> str:
    """The module whose functions the methods of a generator are like; empty for what is none."""
    if value.draws:
        return value.draws
    name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
    known = value.tensor or value.array or value.element is not None or value.items is not None or value.keyed is not None
    for option in v.options(frame.fact(node)):
        if isinstance(option, v.Unknown) and option.origin in apis.GENERATORS:
            return apis.GENERATORS[option.origin]
    named = name.lower() in apis.GENERATOR_WORDS and frame.untyped(node) and not known
    return apis.RANDOM_PREFIXES[1] if named else ""


def draw(frame: Frame, node: ast.Call, name: str, given: Given) -> Abstract:
    """What a function of a module draws: a number, or as many as an argument says."""
    origin = Origin(frame.routine.file, node)
    if name in apis.GENERATORS:
        return Abstract(origin=origin, draws=apis.GENERATORS[name])
    module = next(prefix for prefix in apis.RANDOM_PREFIXES if name.startswith(prefix))
    name = module + apis.DRAWS_ALIKE.get(name.rpartition(".")[2], name.rpartition(".")[2])
    if name in apis.SHUFFLING:
        target = node.args[0] if node.args else None
        if isinstance(target, ast.Name) and target.id in frame.env:
            held = frame.env[target.id]
            items = tuple(replace(i, level=max(i.level, Level.RANDOM), origin=origin) for i in held.items) if held.items else None
            frame.env[target.id] = replace(held, level=max(held.level, Level.RANDOM), items=items, origin=origin)
        return CONSTANT
    drawn = Abstract(Level.RANDOM, origin=origin)
    counted = apis.RANDOM_COUNTS.get(name)
    if counted is not None and given.positional and node.args and _holds_episodes(node.args[0]) and name.startswith(apis.RANDOM_PREFIXES[0]):
        return Abstract(Level.RANDOM, element=_as_episodes(element_of(given.positional[0])), added=None, origin=origin)
    if counted is not None:
        count = given.get(counted[1], counted[0])
        if count is not None:
            length = count.level if count.level >= Level.RANDOM else Level.CONSTANT
            return replace(drawn, element=drawn, length=length, array=name.startswith("numpy."), origin=count.origin if length else origin)
    if name in apis.RANDOM_ARRAYS and given.positional:
        return replace(drawn, array=True, length=max(value.level for value in given.positional) if max(value.level for value in given.positional) >= Level.RANDOM else Level.CONSTANT)
    first = given.positional[0] if given.positional else None
    if first is not None and node.args and _holds_episodes(node.args[0]):
        first = replace(first, element=_as_episodes(element_of(first)), items=None)
    if name.endswith(".choice") and first is not None and (first.element is not None or first.items is not None):
        inner = element_of(first)
        if inner.tensor:
            return inner
        return replace(inner, level=Level.RANDOM, origin=origin, shape=frozenset(), items=_differing(frame, node.args[0], inner, origin))
    return drawn


def _differing(frame: Frame, over: ast.expr, one: Abstract, origin: Origin) -> tuple[Abstract, ...] | None:
    """The parts of one of several tuples that are written out: those that are not written alike are drawn."""
    written = definitions(frame.routine.node).get(over.id, over) if isinstance(over, ast.Name) else over
    rows = [row.elts for row in written.elts if isinstance(row, (ast.Tuple, ast.List))] if isinstance(written, (ast.Tuple, ast.List)) else []
    if one.items is None or not rows or any(len(row) != len(one.items) for row in rows):
        return one.items
    same = [len({ast.unparse(row[place]) for row in rows}) == 1 for place in range(len(one.items))]
    return tuple(item if alike else replace(item, level=max(item.level, Level.RANDOM), origin=item.origin or origin) for item, alike in zip(one.items, same, strict=True))


def _holds_episodes(node: ast.expr) -> bool:
    """``self.episodes``: what it holds is as long as it took."""
    name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
    return bool(apis.EPISODE_WORDS & set(name.lower().split("_")))


def _as_episodes(value: Abstract) -> Abstract:
    """An episode, or what several lists hold of one; numbers that are known to be constant stay."""
    if value.items is not None:
        return container(tuple(_as_episodes(item) for item in value.items))
    if value.keyed is not None:
        return replace(value, keyed=tuple((key, _as_episodes(each)) for key, each in value.keyed))
    return EPISODE if value == UNKNOWN else value
