"""``p = x[[2, 0]]``, changed later, becomes ``p = x[[2, 0]].copy()``: torch indexes by lists, tensors and masks into memory of its own.

MindSpore's result is new memory, too, but remembers where it was taken from, and ``p[0] = v`` is written back into x
(`Tensor.parent_tensor_`, measured with 2.10.0 in PyNative): x changes without an error.
"""

from __future__ import annotations

import ast

from mindport.convert.aliasing.flow import Flow
from mindport.convert.aliasing.knowledge import Knowledge
from mindport.convert.context import Context


def plan_copies(context: Context, scope: ast.AST, flow: Flow, knowledge: Knowledge) -> None:
    """Plan the copy of everything that indexing made in the scope and that is changed in place there."""
    changed = {one.key for mutation in flow.mutations.values() for one in mutation.objects if one.origin == "new"}
    for node in ast.walk(scope):
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) and id(node) in changed and knowledge.is_tensor(node.value):
            context.plan(node, lambda n=node: _write(context, n), last=True)  # type: ignore[misc]


def _write(context: Context, node: ast.Subscript) -> None:
    start, end = context.editing.span(node)
    context.editing.replace(start, end, f"{context.editing.current(start, end)}.copy()")
