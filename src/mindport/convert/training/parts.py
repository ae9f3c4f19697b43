"""Names that stand for parts of containers: what is put into ``env`` in ``for env in envs`` is in `envs` afterwards."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from functools import lru_cache

from mindport.convert.training.names import key, names, own_nodes

#: Builtins whose results hold parts of their arguments.
_PASSING = frozenset(("enumerate", "zip", "reversed", "list", "tuple", "sorted", "iter", "next", "filter"))


@lru_cache(maxsize=4096)
def wholes(scope: ast.AST) -> Mapping[str, frozenset[str]]:
    """For each name of a scope the keys of what it may be a part of, or another name of."""
    found: dict[str, set[str]] = {}
    for node in own_nodes(scope):
        match node:
            case ast.Assign(targets=targets, value=value):
                bound = [name for target in targets for name in names(target).stores]
            case ast.For(target=target, iter=value) | ast.AsyncFor(target=target, iter=value) | ast.NamedExpr(target=target, value=value):
                bound = list(names(target).stores)
            case _:
                continue
        for name in bound:
            found.setdefault(name, set()).update(_keys(value) - {name})
    size = -1
    while size != (size := sum(map(len, found.values()))):
        for whole in found.values():
            whole |= {outer for part in tuple(whole) for outer in found.get(part, ())}
    return {name: frozenset(whole) for name, whole in found.items() if whole}


def with_wholes(keys: Iterable[str], of: Mapping[str, frozenset[str]]) -> set[str]:
    """The keys, and those of what their names may be parts of."""
    return {other for name in keys for other in (name, *of.get(name.partition(".")[0], ()))}


def _keys(value: ast.expr) -> set[str]:
    """Keys of the containers that an expression takes something out of."""
    match value:
        case ast.Name() | ast.Attribute():
            name = key(value)
            return {name} if name is not None else set()
        case ast.Subscript(value=inner) | ast.Starred(value=inner) | ast.Call(func=ast.Attribute(value=inner, attr="values" | "items" | "get" | "setdefault")):
            return _keys(inner)
        case ast.Call(func=ast.Name(id=name), args=arguments) if name in _PASSING:
            return set().union(*map(_keys, arguments))
        case ast.IfExp(body=one, orelse=other):
            return _keys(one) | _keys(other)
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return set().union(*map(_keys, parts))
    return set()
