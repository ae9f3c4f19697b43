"""How many elements the containers of a function have: counted along each way through it, compared where ways meet.

A list that is written out has as many elements as its text; each `append` adds one (`Abstract.added`). Where data decide which way
is taken, and the ways added different numbers, the length differs between steps; so it does behind a loop of which data decide the
number of turns. Behind every other loop the number is not known, and the same in every step.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from mindport.analysis.dynamic_shape import apis
from mindport.analysis.dynamic_shape.abstract import Abstract, Level, Origin, Source, count_of, element_of
from mindport.analysis.dynamic_shape.handed_in import is_parameter
from mindport.analysis.dynamic_shape.polynomials import definitions
from mindport.inference import values as v
from mindport.source.walking import walk

if TYPE_CHECKING:
    from mindport.analysis.dynamic_shape.statements import Frame


#: Methods that make a list longer or shorter.
_CHANGING = frozenset(("append", "extend", "insert", "pop", "popleft", "remove"))


def unequal(merged: dict[str, Abstract], a: dict[str, Abstract], b: dict[str, Abstract], test: Abstract) -> None:
    """Containers that got more elements on one way than on the other, where `test` decides: their length differs."""
    for name in a.keys() & b.keys() & merged.keys():
        one, other = a[name], b[name]
        if one is not other and count_of(one) != count_of(other) and not (one.tensor or other.tensor) and one.element is not other.element:
            merged[name] = _of_length(merged[name], max(test.level, Level.RANDOM) if not test.shape else Level.DATA, test.origin)


def came_to_differ(before: dict[str, Abstract], after: dict[str, Abstract]) -> bool:
    """Whether the turn before made a list one of changing length: the beginning of the body has not seen it yet."""
    return any(value.length >= Level.RANDOM and name in before and before[name].length < Level.RANDOM and not value.tensor for name, value in after.items())


def _of_length(value: Abstract, level: Level, origin: Origin | None, extent: frozenset[Source] = frozenset()) -> Abstract:
    if value.items is None and value.element is None:
        return value
    return replace(
        value, items=None, element=element_of(value), length=max(value.length, level), origin=value.origin or origin, added=None,
        extent=value.extent | extent, shape=value.shape | extent,
    )  # fmt: skip


def total(a: int | None, b: int | None) -> int | None:
    return a + b if a is not None and b is not None else None


def _ended_by_a_call(node: ast.While) -> bool:
    """``while not done`` where the loop gets `done` from a call, ``obs, done = env.step(action)``: no counter; ``while True`` that a break ends so."""
    tests = [node.test]
    if isinstance(node.test, ast.Constant):
        tests = [s.test for s in walk(node) if isinstance(s, ast.If) and any(isinstance(inner, (ast.Break, ast.Return)) for inner in s.body)]
    for part in node.test.values if isinstance(node.test, ast.BoolOp) else [node.test]:
        asked = part.operand if isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.Not) else part
        if isinstance(asked, ast.Call) and isinstance(asked.func, ast.Attribute) and not asked.args:
            return True  # while not queue.empty()
    tested = {n.id for test in tests for n in walk(test) if isinstance(n, ast.Name)}
    given = {n.id for s in walk(node) if isinstance(s, ast.Assign) and isinstance(s.value, ast.Call) for t in s.targets for n in walk(t) if isinstance(n, ast.Name)}
    return bool(tested & given)


def _works_off(node: ast.While) -> bool:
    """``while todo: node = todo.pop(); todo.extend(node.children)``: as many turns as the structure has parts."""
    tested = {n.id for n in walk(node.test) if isinstance(n, ast.Name)}
    called = [(n.func.value.id, n.func.attr) for n in walk(node) if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and isinstance(n.func.value, ast.Name)]
    return any((name, taking) in called for name in tested for taking in ("pop", "popleft")) and any((name, adding) in called for name in tested for adding in ("append", "extend", "appendleft"))


def _ended_by_a_step(node: ast.AST) -> bool:
    """``for t in range(n): obs, reward, done, _ = env.step(action); if done: break``: an episode may end before."""
    given = {
        n.id for s in walk(node) if isinstance(s, ast.Assign) and isinstance(s.value, ast.Call) and isinstance(s.value.func, ast.Attribute) and s.value.func.attr in apis.STEPPING
        for t in s.targets if isinstance(t, ast.Tuple) for n in walk(t) if isinstance(n, ast.Name)
    }  # fmt: skip
    tests = [s.test for s in walk(node) if isinstance(s, ast.If) and any(isinstance(inner, ast.Break) for inner in s.body)]
    return any(isinstance(n, ast.Name) and n.id in given for test in tests for n in walk(test))


def _padded_to(node: ast.For | ast.AsyncFor | ast.While) -> ast.expr | None:
    """The length in ``while len(ids) < n: ids.append(0)``."""
    test = node.test if isinstance(node, ast.While) else None
    if not (isinstance(test, ast.Compare) and isinstance(test.left, ast.Call) and ast.unparse(test.left.func) == "len" and isinstance(test.ops[0], (ast.Lt, ast.NotEq))):
        return None
    return test.comparators[0]


def _attributes(frame: Frame, node: ast.AST, turns: Level, origin: Origin | None, extent: frozenset[Source]) -> None:
    """Lists that the object holds and its own loop fills, ``self.steps.append(step)``, or that an object holds which the function makes; those of another one may be emptied in between."""
    from mindport.analysis.dynamic_shape.expressions import evaluate
    from mindport.analysis.dynamic_shape.places import keep

    for inner in walk(node):
        if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Attribute) and inner.func.attr == "append" and isinstance(inner.func.value, ast.Attribute) and (ast.unparse(inner.func.value.value) == "self" or _is_record(frame, inner.func.value.value) or _made_here(frame, inner.func.value.value, node)):
            held = evaluate(frame, inner.func.value)
            if not held.tensor and not held.loader:
                keep(frame, inner.func.value, _of_length(held, turns, origin or Origin(frame.routine.file, node), extent))


def _changed_in(loop: ast.AST, name: str) -> bool:
    """Whether a loop puts something into a list that was there before, or takes something out."""
    return any(isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and n.func.attr in _CHANGING and isinstance(n.func.value, ast.Name) and n.func.value.id == name for n in walk(loop))


def _is_record(frame: Frame, holder: ast.expr) -> bool:
    """Whether a parameter holds an object of the project's, which the caller has made for what is put into it."""
    return is_parameter(frame, holder) and any(isinstance(o, v.ProjectInstance) for o in v.options(frame.fact(holder)))


def _made_here(frame: Frame, holder: ast.expr, loop: ast.AST) -> bool:
    """Whether a name holds an object of the project's that the function makes, once, before the loop."""
    made = definitions(frame.routine.node).get(holder.id) if isinstance(holder, ast.Name) else None
    return isinstance(made, ast.Call) and made.lineno < loop.lineno and any(isinstance(o, v.ProjectClass) for o in v.options(frame.fact(made.func)))  # type: ignore[attr-defined]


def filled(frame: Frame, node: ast.For | ast.AsyncFor | ast.While, before: dict[str, Abstract], iterated: Abstract | None, test: Abstract | None) -> None:
    """Containers that a loop fills have as many elements as it has turns: another number each time where data decide that."""
    turns = frame.ended.get(node, Level.CONSTANT)
    extent: frozenset[Source] = frozenset()
    if iterated is not None:
        turns = max(turns, Level.DATA if iterated.tensor and iterated.shape else iterated.length)
        extent = iterated.shape if iterated.tensor else iterated.extent
        if _ended_by_a_step(node):
            turns = Level.DATA
    elif _ended_by_a_call(node) or _works_off(node):  # type: ignore[arg-type]
        turns = Level.DATA
    to = _padded_to(node)
    if to is not None and not (turns >= Level.RANDOM and any(isinstance(n, ast.Break) for n in walk(node))):
        from mindport.analysis.dynamic_shape.expressions import evaluate

        turns = evaluate(frame, to).level
        for name, value in frame.env.items():
            if value is not before.get(name) and before.get(name) is not None and not value.tensor and value.element is not None:
                frame.env[name] = replace(value, items=None, length=turns, added=None)
        return
    if iterated is None and test is not None:
        turns = max(turns, test.level)
    if turns >= Level.RANDOM:
        _attributes(frame, node, turns, iterated.origin if iterated is not None else None, extent)
    for name, value in frame.env.items():
        old = before.get(name)
        if value.tensor or value.items is None and value.element is None or old is None:
            continue
        changed = turns >= Level.RANDOM and count_of(value) is None and not value.sample and _changed_in(node, name)
        if value is not old and count_of(value) != count_of(old) or changed:
            frame.env[name] = _of_length(value, turns, iterated.origin if iterated is not None else None, extent) if turns >= Level.RANDOM else replace(value, added=None)
