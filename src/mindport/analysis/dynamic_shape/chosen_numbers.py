"""Numbers that data choose: set on one way through a branch or otherwise on the other, or where a loop ends before its last turn."""

from __future__ import annotations

import ast
from dataclasses import replace

from mindport.analysis.dynamic_shape.abstract import NOTHING, Abstract, Level, join
from mindport.source.walking import walk

#: Of what comes from elsewhere nothing says that it is a number.
_NUMBERS = (Level.CONSTANT, Level.SHAPE, Level.TURN)


def by_choice(merged: dict[str, Abstract], one: dict[str, Abstract], other: dict[str, Abstract], node: ast.If, test: Abstract) -> None:
    """Numbers that differ between two ways are as changing as what chooses the way."""
    for name in _set(node) & one.keys() & other.keys() & merged.keys():
        if _is_number(one[name]) and _is_number(other[name]) and merged[name].level < test.level:
            merged[name] = replace(merged[name], level=test.level, origin=test.origin)


def _set(node: ast.If) -> set[str]:
    """Names that an if sets, and not to a word or to nothing."""
    inside = [inner for statement in [*node.body, *node.orelse] for inner in walk(statement) if isinstance(inner, (ast.Assign, ast.AugAssign))]
    numbers = [s for s in inside if not (isinstance(s.value, ast.Constant) and isinstance(s.value.value, (str, bool, type(None))))]
    return {target.id for s in numbers for target in (s.targets if isinstance(s, ast.Assign) else [s.target]) if isinstance(target, ast.Name)}


def where_it_ended(env: dict[str, Abstract], cut: dict[str, Abstract], level: Level, loop: ast.AST) -> None:
    """What a loop leaves when it ends early: numbers and tensors may be those of that turn."""
    counted = {n.target.id for n in walk(loop) if isinstance(n, ast.AugAssign) and isinstance(n.target, ast.Name)}
    for name in env.keys() & cut.keys():
        a, b = env[name], cut[name]
        turned = name in counted and level >= Level.RANDOM and a.level == b.level == Level.TURN  # n *= 2 in each turn: as great as there were turns
        if (a is not b or turned) and (_is_number(a) and _is_number(b) or a.tensor and b.tensor):
            env[name] = join(a, b)
            if level >= Level.RANDOM and _is_number(a):
                env[name] = replace(env[name], level=max(level, env[name].level), origin=env[name].origin)


def _is_number(value: Abstract) -> bool:
    held = value.tensor or value.array or value.items is not None or value.element is not None or value.keyed is not None
    return value is not NOTHING and not held and value.level in _NUMBERS and not (value.sample or value.text or value.mask or value.loader or value.shape or value.length > Level.CONSTANT)


def at_chosen_turns(value: Abstract, active: Level) -> Abstract:
    """What is put into a list where data decide whether: the number of a turn, ``found.append((start, t))``, is one of those that they choose."""
    if active < Level.RANDOM:
        return value
    if value.items is not None and not value.tensor:
        return replace(value, items=(items := tuple(at_chosen_turns(item, active) for item in value.items)), element=join(*items) if items else None)
    return replace(value, level=active) if value.level == Level.TURN and _is_number(value) else value
