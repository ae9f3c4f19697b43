"""Functions that give back what they were given: ``def initialised(net): …; return net``.

What such a call gives is that call's argument, whatever other calls pass: a Linear stays one where the same function also sees LSTMs.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from mindport.inference.values import Instance, ProjectInstance, TensorValue, Value
from mindport.source.walking import walk

if TYPE_CHECKING:
    from mindport.inference.arguments import Arguments
    from mindport.inference.scopes import FunctionScope

#: Methods by which a container gets more.
GROWING = frozenset(("append", "add_module", "extend", "insert", "add", "update", "setdefault", "register_module"))
_INNER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def given(scope: FunctionScope, arguments: Arguments, skipped: int) -> Value | None:
    """The argument that a call gives back; None where it may give something else. `skipped`: parameters that the receiver takes."""
    name = _name(scope)
    if name is None:
        return None
    place = [a.arg for a in scope.positional].index(name) - skipped
    found = arguments.get(place, name) if place >= 0 else None
    # Of what may be several things the function may have told some apart, and to containers it may have added.
    if isinstance(found, Instance) and found.element is not None:
        return found if _only_asks(scope, name) else None
    return found if isinstance(found, (TensorValue, ProjectInstance, Instance)) else None


def _only_asks(scope: FunctionScope, name: str) -> bool:
    """Whether a function uses its parameter for its methods that add nothing, and gives it back: not as an argument, under another name, or as what holds items."""
    used = [n for n in walk(scope.node) if isinstance(n, ast.Name) and n.id == name]
    asked = [n.func.value for n in walk(scope.node) if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and n.func.attr not in GROWING]
    returned = [n.value for n in walk(scope.node) if isinstance(n, ast.Return)]
    fine = {id(n) for n in (*asked, *returned)}
    return all(id(n) in fine for n in used)


def _name(scope: FunctionScope) -> str | None:
    """The parameter that every ``return`` names, where nothing binds it anew."""
    if scope.handed_back is False:
        scope.handed_back = _of_function(scope)
    return scope.handed_back or None


def _of_function(scope: FunctionScope) -> str | None:
    node = scope.node
    if isinstance(node, ast.Lambda) or scope.generator or not scope.keeps or scope.kind == "property" or node.returns is not None:
        return None
    returned: set[str | None] = set()
    bound: set[str] = set(scope.borrowed)
    pending: list[ast.AST] = list(node.body)
    while pending:
        part = pending.pop()
        if isinstance(part, ast.Return):
            returned.add(part.value.id if isinstance(part.value, ast.Name) else None)
        elif isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load):
            bound.add(part.id)
        elif isinstance(part, (ast.Yield, ast.YieldFrom)):
            return None
        if isinstance(part, _INNER):
            bound |= {name for n in walk(part) if isinstance(n, ast.Nonlocal) for name in n.names}
        else:
            pending += ast.iter_child_nodes(part)
    name = next(iter(returned)) if len(returned) == 1 else None
    plain = {a.arg for a in scope.positional if a.annotation is None}
    return name if name in plain - bound else None
