"""Ends of a slice that a function of the project gives together: ``a, b = self.ends(n)`` behind ``return at, at + self.width``.

In terms of what the caller knows: parameters are the call's arguments, and what a method reads of its own object is the caller's object's.
"""

from __future__ import annotations

import ast
import copy
from typing import TYPE_CHECKING

from mindport.analysis.dynamic_shape.polynomials import definitions, expanded, width
from mindport.inference import values as v
from mindport.source.walking import walk

if TYPE_CHECKING:
    from mindport.analysis.dynamic_shape.statements import Frame


def width_of_returned(frame: Frame, lower: ast.expr, upper: ast.expr) -> list[ast.expr] | None:
    """What the distance of two ends hangs on, as the caller would write it; None where no single function gives both, or it hangs on what only that knows."""
    places = _given_together(frame.routine.node, lower, upper)
    if places is None:
        return None
    call, first, last, count = places
    options = v.options(frame.fact(call.func))
    function = options[0].function if len(options) == 1 and isinstance(options[0], v.Bound) else options[0]
    if len(options) != 1 or not isinstance(function, v.ProjectFunction) or isinstance(function.scope.node, ast.Lambda):
        return None
    node = function.scope.node
    ends = [s.value for s in walk(node) if isinstance(s, ast.Return)]
    if len(ends) != 1 or not isinstance(ends[0], ast.Tuple) or len(ends[0].elts) != count:
        return None
    known = definitions(node)
    written = [expanded(ends[0].elts[place], known) for place in (first, last)]
    names = width(*written)
    if names is None:
        return None
    bound = isinstance(options[0], v.Bound)
    parameters = [a.arg for a in function.scope.positional]
    passed: dict[str, ast.expr] = dict(zip(parameters[bound:], call.args, strict=False)) | {k.arg: k.value for k in call.keywords if k.arg}
    if bound and parameters and isinstance(call.func, ast.Attribute):
        passed[parameters[0]] = call.func.value
    found = [_as_passed(n, passed) for end in written for n in walk(end) if isinstance(n, ast.expr) and ast.unparse(n) in names]
    return None if None in found else [each for each in found if each is not None]


def _given_together(function: ast.AST, lower: ast.expr, upper: ast.expr) -> tuple[ast.Call, int, int, int] | None:
    """The call whose results both names are, bound nowhere else: with their places, and how many it gives."""
    if not (isinstance(lower, ast.Name) and isinstance(upper, ast.Name)):
        return None
    stored = [n.id for n in walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    for node in walk(function):
        for target in node.targets if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) else ():
            names = [part.id if isinstance(part, ast.Name) else "" for part in target.elts] if isinstance(target, ast.Tuple) else []
            if lower.id in names and upper.id in names and stored.count(lower.id) == stored.count(upper.id) == 1:
                return node.value, names.index(lower.id), names.index(upper.id), len(names)  # type: ignore[attr-defined]
    return None


def _as_passed(node: ast.expr, passed: dict[str, ast.expr]) -> ast.expr | None:
    """An expression of a function, in the words of its caller; None where it names what only the function knows."""
    if isinstance(node, ast.Name):
        return passed.get(node.id)
    if not isinstance(node, ast.Attribute):
        return None
    base = _as_passed(node.value, passed)
    if base is None:
        return None
    made = copy.copy(node)
    made.value = base
    return made
