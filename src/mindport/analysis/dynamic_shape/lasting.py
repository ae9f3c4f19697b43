"""What outlives a call: lists that an object fills call by call, and functions that run once, when an object is made."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from mindport.analysis.dynamic_shape import apis
from mindport.analysis.dynamic_shape.abstract import Abstract, Level
from mindport.analysis.dynamic_shape.named_places import as_attribute
from mindport.analysis.dynamic_shape.own_containers import only_grows
from mindport.analysis.dynamic_shape.places import ONCE
from mindport.analysis.dynamic_shape.polynomials import definitions
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
    if frame.loops or frame.routine.name in ONCE or value.level >= Level.TURN and not value.tensor and not value.opaque and not _answered(value) and value.items is None and not (value.element is not None and value.element.tensor):
        return False
    if only_grows(frame, place):
        return frame.routine.in_class
    told = _kept_at(place)
    if told is not None and isinstance(told[0], ast.Name) and isinstance(made := definitions(frame.routine.node).get(told[0].id), ast.Call) and any(isinstance(o, v.ProjectClass) for o in v.options(frame.fact(made.func))):
        return False  # an object of this call
    if told is not None and _begun_here(frame, told):
        return False
    owners = [o.cls.scope for o in v.options(frame.fact(told[0])) if isinstance(o, v.ProjectInstance)] if told is not None else []
    return bool(owners) and told is not None and all(_kept_by(owner, *told[1:]) for owner in owners)


def _begun_here(frame: Frame, told: tuple[ast.expr, str, object]) -> bool:
    """Whether the function that adds has set the attribute itself before: ``self.params = []`` and then `append`."""
    held, name, _ = told
    body = frame.routine.node.body if isinstance(frame.routine.node, (ast.FunctionDef, ast.AsyncFunctionDef)) else []
    set_here = [target for statement in body for target, _ in settings(statement)]
    return any(isinstance(target, ast.Attribute) and target.attr == name and ast.unparse(target.value) == ast.unparse(held) for target in set_here)


def _answered(value: Abstract) -> bool:
    """Whether a value is what a call of something unknown has given, ``obs, reward = env.step(action)``, and not a number read out of a tensor."""
    made = value.origin.node if value.origin is not None else None
    return isinstance(made, ast.Call) and isinstance(made.func, ast.Attribute) and apis.FUNCTION + made.func.attr not in apis.VALUE_READS | apis.SHAPE_READS and made.func.attr not in apis.READING_VALUES


def _kept_at(place: ast.expr) -> tuple[ast.expr, str, object] | None:
    """The object that keeps a list, the attribute's name, and the key of the dictionary there: of ``self.items``, ``self.state["items"]``, ``getattr(self, f"items_{i}")``."""
    key: object = None
    if isinstance(place, ast.Subscript) and isinstance(place.slice, ast.Constant):
        key, place = place.slice.value, place.value
    if isinstance(place, ast.Call):
        place = as_attribute(place) or place
    return (place.value, place.attr, key) if isinstance(place, ast.Attribute) else None


def _kept_by(cls: ClassScope, name: str, key: object) -> bool:
    """Whether the family of a class sets the attribute once, to an empty list or a dictionary that holds one, and empties it nowhere but where a caller says so."""
    begun = False
    for owner in [*cls.mro, *cls.all_subclasses()]:
        told = _where_told(owner.node)
        fields = {id(s.target): s.target.id for s in owner.node.body if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name)}
        for node in walk(owner.node):
            if id(node) in told:
                continue
            for target, given in settings(node) if not isinstance(node, ast.AugAssign) else ():  # += adds
                at = _kept_at(target)
                if at is not None and at[1] == name and at[2] in (None, key) or fields.get(id(target)) == name:
                    if begun or not _begins(given, key if at is None or at[2] is None else None):
                        return False
                    begun = True
            if isinstance(node, ast.Delete) and any(isinstance(n, ast.Attribute) and n.attr == name for n in walk(node)):
                return False
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _EMPTYING and (at := _kept_at(node.func.value)) is not None and at[1] == name and at[2] in (None, key):
                return False
    return begun


def _begins(given: ast.expr | None, key: object) -> bool:
    """``[]``, ``list()``, ``field(default_factory=list)``; of a dictionary, that under its key."""
    if key is not None:
        return isinstance(given, ast.Dict) and any(isinstance(k, ast.Constant) and k.value == key and _begins(held, None) for k, held in zip(given.keys, given.values, strict=True))
    if isinstance(given, ast.Call):
        made = [k.value for k in given.keywords if k.arg == "default_factory"] or ([] if given.args or given.keywords else [given.func])
        return any(isinstance(m, ast.Name) and m.id == "list" for m in made)
    return isinstance(given, ast.List) and not given.elts


def _where_told(node: ast.AST) -> set[int]:
    """What stands under an `if` that a parameter of the method decides, ``if done:``, ``if done or full:``: an episode ends, after as many calls as it took."""
    found: set[int] = set()
    for method in walk(node):
        if isinstance(method, ast.FunctionDef) and method.name not in ONCE:
            given = {a.arg for a in [*method.args.args[1:], *method.args.kwonlyargs]} - set(defaults_of(method.args))
            tests = [inner for inner in walk(method) if isinstance(inner, ast.If) and any(isinstance(part, ast.Name) and part.id in given for part in (inner.test.values if isinstance(inner.test, ast.BoolOp) else [inner.test]))]
            found |= {id(part) for test in tests for statement in test.body for part in walk(statement)}
    return found


def settings(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr | None]]:
    """What an assignment, or a call of `setattr`, sets, each with what it is given: ``self.size, self.items = size, []``."""
    if isinstance(node, (ast.AnnAssign, ast.AugAssign)):
        yield node.target, node.value
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "setattr" and len(node.args) == 3:
        yield node, node.args[2]
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
        more = {r for r in routines if r not in once and r.callers and r.callers.keys() <= once and r.in_class <= r.name.startswith("_") and not _trains(r)}
        once |= more
        growing = bool(more)
    return once


def _trains(routine: Routine) -> bool:
    first, last = getattr(routine.node, "lineno", 0), getattr(routine.node, "end_lineno", 0) or 0
    return any(use.name in apis.STEPS or use.name.endswith((".step", ".backward")) for use in routine.facts.uses if first <= use.node.lineno <= last)
