"""Where names of a place live: the function or module around it, and what is assigned there."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.convert.context import Context
from mindport.convert.training.names import own_nodes

#: Nodes whose names are their own, as far as assignments are asked for: a lambda binds nothing but its parameters.
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Module)


def scope_of(context: Context, node: ast.AST) -> ast.AST:
    """The innermost function around a node, or the module."""
    above = context.parents.get(id(node))
    while above is not None and not isinstance(above, SCOPES):
        above = context.parents.get(id(above))
    return above or context.file.tree


def class_around(context: Context, node: ast.AST) -> ast.ClassDef | None:
    """The innermost class around a node."""
    above = context.parents.get(id(node))
    while above is not None and not isinstance(above, ast.ClassDef):
        above = context.parents.get(id(above))
    return above


def scopes(context: Context) -> Iterator[ast.AST]:
    """The module and all its functions."""
    return (node for node in context.file.nodes if isinstance(node, SCOPES))


def assigned(scope: ast.AST) -> dict[str, list[ast.Assign]]:
    """The assignments of a scope by the names they bind, also in tuples."""
    found: dict[str, list[ast.Assign]] = {}
    for node in own_nodes(scope):
        if isinstance(node, ast.Assign):
            for name in {part.id for target in node.targets for part in ast.walk(target) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}:
                found.setdefault(name, []).append(node)
    return found
