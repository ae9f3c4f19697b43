"""``h.long()`` of what may have a gradient is ``ops.stop_gradient(h).long()``: MindSpore's cast hands the gradient on (`training.cast_gradients`)."""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.convert.training.cast_gradients import casts_to_whole, hands_gradient_on
from mindport.inference.facts import Use


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the edits of all such casts of the file."""
    for node in context.file.nodes:
        operand = casts_to_whole(context, node)
        if operand is not None and hands_gradient_on(context, node, operand):  # type: ignore[arg-type]
            context.plan(operand, lambda n=operand: _write(context, n), last=2)  # type: ignore[misc]


def _write(context: Context, operand: ast.expr) -> None:
    ops = context.imports.local("mindspore", "ops", "ops")
    start, end = context.editing.span(operand)
    text = context.editing.current(start, end)
    whole = context.editing.text
    if isinstance(operand, (ast.BinOp, ast.UnaryOp)) and whole[start - 1 : start] == "(" and whole[end : end + 1] == ")":
        start, end = start - 1, end + 1  # the parentheses are the call's now
    context.editing.replace(start, end, f"{ops}.stop_gradient({text})")
