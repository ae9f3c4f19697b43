"""``torch.FloatTensor((1, n))`` becomes ``FloatTensor([1, n])``: a written tuple is data.

`torch.Size` is a size there, and a plain tuple in MindSpore, so what runs cannot tell the two apart.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.inference.facts import Use

CLASSES = "mindport.equivalents.legacy_constructors"


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan brackets around tuples that are written as a constructor's only argument."""
    for same_place in uses.values():
        call = same_place[0].node
        if not isinstance(call, ast.Call) or len(call.args) != 1 or not isinstance(call.args[0], ast.Tuple):
            continue
        if any(entry.module.name == CLASSES for entry in context.shared.catalog.find(same_place[0].name)):
            context.plan(call.args[0], lambda t=call.args[0]: _write(context, t), last=True)  # type: ignore[misc]


def _write(context: Context, data: ast.Tuple) -> None:
    start, end = context.editing.span(data)
    last = context.editing.span(data.elts[-1])[1] if data.elts else end - 1
    context.editing.replace(start, start + 1, "[")
    alone = context.editing.text[last:end - 1].strip() == ","
    context.editing.replace(last if alone else end - 1, end, "]")
