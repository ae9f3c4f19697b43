"""``h.long()`` of what may have a gradient is ``ops.stop_gradient(h).long()``: MindSpore's cast hands the gradient on (`training.cast_gradients`).

``x.to(dtype)`` becomes ``cast(x, dtype)`` where only the run shows that the dtype is whole: it stands in a parameter or an attribute that has floats, too.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.convert.training.cast_gradients import casts_to_whole, hands_gradient_on, told_when_run
from mindport.inference.facts import Use


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the edits of all such casts of the file."""
    for node in context.file.nodes:
        operand = casts_to_whole(context, node)
        if operand is not None and hands_gradient_on(context, node, operand):  # type: ignore[arg-type]
            context.plan(operand, lambda n=operand: _write(context, n), last=2)  # type: ignore[misc]
        elif operand is None and (told := told_when_run(context, node)) is not None and hands_gradient_on(context, node, told[0]):  # type: ignore[arg-type]
            context.plan(node, lambda n=node, t=told: _write_asked(context, n, *t), last=2)  # type: ignore[misc]


def _write_asked(context: Context, call: ast.Call, operand: ast.expr, dtype: ast.expr) -> None:
    editing = context.editing
    parts = ", ".join(editing.current(*editing.span(part)) for part in (operand, dtype))
    editing.replace(*editing.span(call), f"{context.definition('mindport.equivalents.casts_by_value', 'cast')}({parts})")


def _write(context: Context, operand: ast.expr) -> None:
    ops = context.imports.local("mindspore", "ops", "ops")
    start, end = context.editing.span(operand)
    text = context.editing.current(start, end)
    whole = context.editing.text
    if isinstance(operand, (ast.BinOp, ast.UnaryOp)) and whole[start - 1 : start] == "(" and whole[end : end + 1] == ")":
        start, end = start - 1, end + 1  # the parentheses are the call's now
    context.editing.replace(start, end, f"{ops}.stop_gradient({text})")
