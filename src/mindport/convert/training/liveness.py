"""Which names are read later: liveness over the statements of one scope, backwards, loops until nothing changes.

Exceptions may leave any statement of a ``try`` block, so what a handler reads is live in the whole block.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from mindport.convert.training.names import names, sure

Live = frozenset[str]


@dataclass
class _Exits:
    """What is live where control may jump to."""

    leave: Live = frozenset()  # after the innermost loop
    again: Live = frozenset()  # at its head
    end: Live = frozenset()  # where the function ends
    handlers: Live = frozenset()  # what handlers around read


@dataclass
class Liveness:
    """Live names after each statement of a scope, by id(statement)."""

    after: dict[int, Live] = field(default_factory=dict)


def liveness(body: list[ast.stmt], always: Live) -> Liveness:
    """`always`: names that are read from outside (captured by functions, globals): live everywhere."""
    found = Liveness()
    _block(body, always, _Exits(end=always), found)
    return found


def _block(block: list[ast.stmt], live: Live, exits: _Exits, found: Liveness) -> Live:
    for statement in reversed(block):
        found.after[id(statement)] = found.after.get(id(statement), frozenset()) | live
        live = _before(statement, live, exits, found) | exits.handlers
    return live


def _before(statement: ast.stmt, live: Live, exits: _Exits, found: Liveness) -> Live:
    match statement:
        case ast.Return() | ast.Raise():
            return exits.end | frozenset(names(statement).reads)
        case ast.Break():
            return exits.leave
        case ast.Continue():
            return exits.again
        case ast.If():
            both = _block(statement.body, live, exits, found) | _block(statement.orelse, live, exits, found)
            return both | frozenset(names(statement.test).reads)
        case ast.For() | ast.AsyncFor() | ast.While():
            return _loop(statement, live, exits, found)
        case ast.With() | ast.AsyncWith():
            items = names(list(statement.items))
            return (_block(statement.body, live, exits, found) - frozenset(items.stores)) | frozenset(items.reads)
        case ast.Try():
            end = _block(statement.finalbody, live, exits, found)
            caught = frozenset().union(*(_block(h.body, end, exits, found) - {h.name or ""} for h in statement.handlers))
            inner = _Exits(exits.leave | end, exits.again | end, exits.end | end, exits.handlers | caught | end)
            normal = _block(statement.orelse, end, exits, found)
            types = frozenset(names([h.type for h in statement.handlers if h.type is not None]).reads)
            return _block(statement.body, normal, inner, found) | types
        case ast.Match():
            ways = [_block(case.body, live, exits, found) - frozenset(names(case.pattern).stores) for case in statement.cases]
            return live.union(*ways) | frozenset(names([statement.subject, *(c.guard for c in statement.cases if c.guard)]).reads)
    own = names(statement)
    return (live - frozenset(sure(statement))) | frozenset(own.reads)


def _loop(loop: ast.For | ast.AsyncFor | ast.While, live: Live, exits: _Exits, found: Liveness) -> Live:
    after = _block(loop.orelse, live, exits, found)
    if isinstance(loop, ast.While):
        bound, heads = frozenset[str](), frozenset(names(loop.test).reads)
    else:
        bound, heads = frozenset(names(loop.target).stores), frozenset()
    head = after | heads
    while True:
        body = _block(loop.body, head, _Exits(live, head, exits.end, exits.handlers), found)
        again = head | (body - bound) | heads
        if again == head:
            break
        head = again
    start = frozenset() if isinstance(loop, ast.While) else frozenset(names(loop.iter).reads)
    return head | start
