"""What outlives a call: lists that an object fills call by call, and functions that run once, when an object is made."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from mindport.analysis.dynamic_shape import apis
from mindport.analysis.dynamic_shape.abstract import Abstract, Level
from mindport.analysis.dynamic_shape.own_containers import only_grows
from mindport.analysis.dynamic_shape.places import ONCE
from mindport.inference import values as v
from mindport.source.defaults import defaults_of
from mindport.source.walking import walk

if TYPE_CHECKING:
    from mindport.analysis.dynamic_shape.engine import Routine
    from mindport.analysis.dynamic_shape.statements import Frame
    from mindport.inference.scopes import ClassScope

_EMPTYING = frozenset(("clear",))


def grows_by_calls(frame: Frame, place: ast.expr, value: Abstract) -> bool:
    """``self.items.append(state)`` in a method, of a list that the class begins empty and no other method begins anew: longer at every call."""
    if frame.loops or frame.routine.name in ONCE or value.level >= Level.TURN and not value.tensor and value.items is None and not (value.element is not None and value.element.tensor):
        return False
    if only_grows(frame, place):
        return frame.routine.in_class
    if not isinstance(place, ast.Attribute):
        return False
    owners = [o.cls.scope for o in v.options(frame.fact(place.value)) if isinstance(o, v.ProjectInstance)]
    return bool(owners) and all(_kept_by(owner, place.attr) for owner in owners)


def _kept_by(cls: ClassScope, name: str) -> bool:
    """Whether the family of a class sets the attribute once, to an empty list, and empties it nowhere but where a caller says so."""
    begun = False
    for owner in [*cls.mro, *cls.all_subclasses()]:
        told = _where_told(owner.node)
        for node in walk(owner.node):
            if id(node) in told:
                continue
            for target, given in settings(node) if not isinstance(node, ast.AugAssign) else ():  # += adds
                if isinstance(target, ast.Attribute) and target.attr == name:
                    if begun or not (isinstance(given, ast.List) and not given.elts):
                        return False
                    begun = True
            if isinstance(node, ast.Delete) and any(isinstance(n, ast.Attribute) and n.attr == name for n in walk(node)):
                return False
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _EMPTYING and isinstance(node.func.value, ast.Attribute) and node.func.value.attr == name:
                return False
    return begun


def _where_told(node: ast.AST) -> set[int]:
    """What stands under an `if` that a parameter of the method decides, ``if done:``: an episode ends, after as many calls as it took."""
    found: set[int] = set()
    for method in walk(node):
        if isinstance(method, ast.FunctionDef) and method.name not in ONCE:
            given = {a.arg for a in [*method.args.args[1:], *method.args.kwonlyargs]} - set(defaults_of(method.args))
            tests = [inner for inner in walk(method) if isinstance(inner, ast.If) and isinstance(inner.test, ast.Name) and inner.test.id in given]
            found |= {id(part) for test in tests for statement in test.body for part in walk(statement)}
    return found


def settings(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr | None]]:
    """What an assignment sets, each with what it is given: ``self.size, self.items = size, []``."""
    if isinstance(node, (ast.AnnAssign, ast.AugAssign)):
        yield node.target, node.value
    for target in node.targets if isinstance(node, ast.Assign) else ():
        if not isinstance(target, (ast.Tuple, ast.List)):
            yield target, node.value  # type: ignore[attr-defined]
            continue
        given = node.value.elts if isinstance(node.value, (ast.Tuple, ast.List)) and len(node.value.elts) == len(target.elts) else [None] * len(target.elts)  # type: ignore[attr-defined]
        yield from zip(target.elts, given, strict=True)


def runs_once(routines: list[Routine]) -> set[Routine]:
    """Methods that run when an object is made, and functions that only these call; none of them trains."""
    once = {routine for routine in routines if routine.name in ONCE}
    growing = True
    while growing:
        more = {r for r in routines if r not in once and r.callers and r.callers <= once and r.in_class <= r.name.startswith("_") and not _trains(r)}
        once |= more
        growing = bool(more)
    return once


def _trains(routine: Routine) -> bool:
    first, last = getattr(routine.node, "lineno", 0), getattr(routine.node, "end_lineno", 0) or 0
    return any(use.name in apis.STEPS or use.name.endswith((".step", ".backward")) for use in routine.facts.uses if first <= use.node.lineno <= last)
