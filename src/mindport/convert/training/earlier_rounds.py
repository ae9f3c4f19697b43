"""Names that statements of a loop read as an earlier round of it left them: ``if width == 1: teacher = net(x).detach()``, ``else: loss = distance(net(x), teacher)``.

As a function of their own, the statements would read a name that they have not bound.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from mindport.convert.training.names import FUNCTIONS, names


def left_by_earlier_rounds(block: list[ast.stmt]) -> set[str]:
    """The names that are read where none of these statements can have bound them, on any way, though one of them does."""
    found: set[str] = set()
    _block(block, set(), found)
    return found & names(block).stores.keys()


def _block(block: list[ast.stmt], bound: set[str], found: set[str]) -> set[str]:
    """What may be bound behind a block; `found` takes what is read and cannot be."""
    for statement in block:
        bound = _statement(statement, bound, found)
    return bound


def _statement(statement: ast.stmt, bound: set[str], found: set[str]) -> set[str]:
    match statement:
        case ast.If():
            _read([statement.test], bound, found)
            return _block(statement.body, bound, found) | _block(statement.orelse, bound, found)
        case ast.For() | ast.AsyncFor() | ast.While():
            _read([statement.test if isinstance(statement, ast.While) else statement.iter], bound, found)
            bound = bound | set(names(statement).stores)  # by an earlier round of this loop itself
            return _block([*statement.body, *statement.orelse], bound, found)
        case ast.With() | ast.AsyncWith():
            _read(statement.items, bound, found)
            return _block(statement.body, bound | set(names(list(statement.items)).stores), found)
        case ast.Try() | ast.Match() | ast.ClassDef():  # ways into their parts are many
            return bound | set(names(statement).stores)
    if not isinstance(statement, FUNCTIONS):
        _read([statement], bound, found)
    return bound | set(names(statement).stores)


def _read(nodes: Iterable[ast.AST], bound: set[str], found: set[str]) -> None:
    found |= names(nodes).reads.keys() - bound
