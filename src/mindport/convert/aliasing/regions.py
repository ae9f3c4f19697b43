"""Where no gradient is recorded: inside ``with torch.no_grad():`` and functions that it decorates."""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.inference.overlays import storage


def without_gradient(context: Context, node: ast.AST) -> bool:
    """Whether the text around the node switches gradients off."""
    return region_without_gradient(context, node) is not None


def region_without_gradient(context: Context, node: ast.AST) -> ast.stmt | None:
    """The innermost statement or function around the node that switches gradients off."""
    names = {id(use.node): use.name for use in context.facts.uses}
    current: ast.AST | None = node
    while current is not None:
        marks: list[ast.expr] = []
        if isinstance(current, (ast.With, ast.AsyncWith)):
            marks = [item.context_expr for item in current.items]
        elif isinstance(current, (ast.FunctionDef, ast.AsyncFunctionDef)):
            marks = current.decorator_list
        for mark in marks:
            inner = mark.func if isinstance(mark, ast.Call) else mark
            if names.get(id(mark), names.get(id(inner), "")) in storage.WITHOUT_GRADIENT:
                return current  # type: ignore[return-value]
        current = context.parents.get(id(current))
    return None
