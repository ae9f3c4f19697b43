"""``t[range(n), classes]`` becomes ``t[list(range(n)), classes]``: MindSpore's tensors take lists as indices, no ranges."""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.inference import values as v
from mindport.inference.facts import Use


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan ``list(…)`` around every range that is an index of a tensor, or beside others an index of what is not known."""
    for node in context.file.nodes:
        if not isinstance(node, ast.Subscript):
            continue
        several = isinstance(node.slice, ast.Tuple)
        kinds = v.options(context.facts.value(node.value))
        if not any(isinstance(k, v.TensorValue) or (several and isinstance(k, v.Unknown)) for k in kinds):
            continue
        for index in node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]:
            if isinstance(index, ast.Call) and isinstance(index.func, ast.Name) and index.func.id == "range":
                context.plan(index, lambda i=index: _write(context, i), last=True)  # type: ignore[misc]


def _write(context: Context, index: ast.Call) -> None:
    start, end = context.editing.span(index)
    context.editing.insert(start, "list(")
    context.editing.insert(end, ")")
