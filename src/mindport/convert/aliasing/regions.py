"""Where no gradient is recorded: inside ``with torch.no_grad():`` and functions that it decorates."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.convert.aliasing.objects import Mutation, links
from mindport.convert.context import Context
from mindport.convert.training.names import own_nodes
from mindport.inference.overlays import storage

SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def without_gradient(context: Context, node: ast.AST) -> bool:
    """Whether the text around the node switches gradients off."""
    return region_without_gradient(context, node) is not None


def region_without_gradient(context: Context, node: ast.AST) -> ast.stmt | None:
    """The innermost statement or function around the node that switches gradients off."""
    current: ast.AST | None = node
    while current is not None:
        marks: list[ast.expr] = []
        if isinstance(current, (ast.With, ast.AsyncWith)):
            marks = [item.context_expr for item in current.items]
        elif isinstance(current, (ast.FunctionDef, ast.AsyncFunctionDef)):
            marks = current.decorator_list
        for mark in marks:
            inner = mark.func if isinstance(mark, ast.Call) else mark
            if context.named.get(id(mark), context.named.get(id(inner), "")) in storage.WITHOUT_GRADIENT:
                return current  # type: ignore[return-value]
        current = context.parents.get(id(current))
    return None


def from_before(context: Context, mutation: Mutation) -> bool:
    """Whether the tensor was made before gradients were switched off: the one that ``x = x + 1`` makes would have none."""
    region = region_without_gradient(context, mutation.statement)
    if region is None or mutation.kind == "values":
        return False
    within = range(region.lineno, (region.end_lineno or region.lineno) + 1)
    return any(link.line not in within for one in mutation.objects for link in links(one))


def is_plain_script(context: Context, statement: ast.AST) -> bool:
    """Whether a statement stands in a script that takes no gradients at its own level: operators run one by one, and none is recorded."""
    if context.on_tape or any(isinstance(parent, SCOPES) for parent in _around(context, statement)):
        return False
    own = {id(node) for node in own_nodes(context.file.tree)}
    return not any(id(use.node) in own and use.name in storage.TAKING_GRADIENTS for use in (*context.facts.uses, *context.facts.indirect)) and not any(
        isinstance(node, ast.Attribute) and node.attr == "backward" for node in own_nodes(context.file.tree)
    )


def _around(context: Context, node: ast.AST) -> Iterator[ast.AST]:
    current = context.parents.get(id(node))
    while current is not None:
        yield current
        current = context.parents.get(id(current))
