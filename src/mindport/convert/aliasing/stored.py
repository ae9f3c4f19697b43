"""``x.view(-1).add_(y)``: a change of a view that has no name is stored back into the tensor as a whole."""

from __future__ import annotations

import ast

from mindport.convert.aliasing.objects import path
from mindport.convert.context import Context


def is_reshaped(node: ast.expr) -> bool:
    """Whether it is a method of a name or path, as ``x.view(-1)``: where that gives another shape of the tensor, it can be stored back."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and path(node.func.value) is not None


def receiver(item: ast.expr) -> ast.expr:
    """The tensor whose method gives the view."""
    assert isinstance(item, ast.Call)
    assert isinstance(item.func, ast.Attribute)
    return item.func.value


def store_whole(context: Context, statement: ast.stmt, owner: str) -> None:
    """``x.view(-1) + y`` → ``x[()] = (x.view(-1) + y).reshape(x.shape)``."""
    start, end = context.editing.span(statement)
    text = context.editing.current(start, end)
    if isinstance(ast.parse(text.strip(), mode="eval").body, (ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp)):
        text = f"({text})"
    context.editing.replace(start, end, f"{owner}[()] = {text}.reshape({owner}.shape)")
