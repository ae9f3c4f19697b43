"""Which bindings of a local name may be the last before a place: the reaching definitions of one function, by the shape of its blocks."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from mindport.convert.training.bindings import bindings

_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
Place = tuple[int, int]


def reaching(scope: ast.AST, name: ast.Name, parents: Mapping[int, ast.AST]) -> list[ast.AST]:
    """The nodes of a scope that bind a name and may be what it holds where it is read; a function itself where it is a parameter.

    A binding ends all earlier ones where its block holds the place, too. In a loop the bindings behind the place come round, unless one before it
    in that loop ends them. A name that the scope does not bind has none.
    """
    found = sorted((node for node, _ in bindings(scope, name.id)), key=lambda node: (node is not scope, _start(node)))
    before = [node for node in found if node is scope or _end(node) <= _start(name)]
    last = max((n for n, node in enumerate(before) if node is not scope and _holds(node, name, parents)), default=0)
    kept = before[last:]
    for loop in _loops(name, scope, parents):
        if not any(node is not scope and _holds(node, name, parents) and _within(node, loop, parents) for node in before):
            kept += [node for node in found if node not in kept and _within(node, loop, parents)]
    return kept


def _start(node: ast.AST) -> Place:
    return getattr(node, "lineno", 0), getattr(node, "col_offset", 0)


def _end(node: ast.AST) -> Place:
    """Where a binding is done: of a loop or ``with`` before its block."""
    inside = getattr(node, "body", None)
    first = inside[0] if isinstance(inside, list) and inside else None
    if first is not None and isinstance(node, (*_LOOPS, ast.With, ast.AsyncWith)):
        return _start(first)
    return getattr(node, "end_lineno", None) or 0, getattr(node, "end_col_offset", None) or 0


def _holds(statement: ast.AST, place: ast.AST, parents: Mapping[int, ast.AST]) -> bool:
    """Whether the block in which a statement stands holds a place."""
    owner = parents.get(id(statement))
    block = next((b for b in (getattr(owner, name, None) for name in _BLOCKS) if isinstance(b, list) and statement in b), None)
    above: ast.AST | None = place
    while block is not None and above is not None:
        if above in block:
            return True
        above = parents.get(id(above))
    return False


def _within(node: ast.AST, above: ast.AST, parents: Mapping[int, ast.AST]) -> bool:
    current: ast.AST | None = node
    while current is not None and current is not above:
        current = parents.get(id(current))
    return current is above


def _loops(node: ast.AST, scope: ast.AST, parents: Mapping[int, ast.AST]) -> list[ast.AST]:
    """The loops of a scope around a place, innermost first."""
    found: list[ast.AST] = []
    above = parents.get(id(node))
    while above is not None and above is not scope:
        if isinstance(above, _LOOPS):
            found.append(above)
        above = parents.get(id(above))
    return found
