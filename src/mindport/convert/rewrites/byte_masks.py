"""``x[mask.byte()]``: indices of uint8 are masks in PyTorch; MindSpore's tensors are taught to take them, and ``where`` gets truth values."""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.inference import values as v
from mindport.inference.facts import Use

KNOWLEDGE = "mindport.equivalents.byte_masks"
#: Calls whose condition stands first, and is given by place.
_CHOOSING = frozenset(("torch.where", "torch.Tensor.where"))


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Put the setting into the vendored module of a program that makes such tensors, and import it where something is indexed."""
    if uses and context.file.relative in context.shared.beside_bytes and any(_may_be_a_mask(node) for node in context.file.nodes):
        context.runs(context.shared.catalog.modules[KNOWLEDGE], "BYTES_ARE_MASKS")
    for same_place in uses.values():
        node = same_place[0].node
        if isinstance(node, ast.Call) and node.args and all(use.name in _CHOOSING for use in same_place) and _is_bytes(context, node.args[0]):
            context.plan(node.args[0], lambda condition=node.args[0]: _as_truth(context, condition), last=True)  # type: ignore[misc]


def _is_bytes(context: Context, condition: ast.expr) -> bool:
    kinds = v.options(context.facts.value(condition))
    return all(isinstance(kind, v.TensorValue) and kind.dtype == "torch.uint8" for kind in kinds)


def _as_truth(context: Context, condition: ast.expr) -> None:
    start, end = context.editing.span(condition)
    text = context.editing.current(start, end)
    whole = isinstance(condition, ast.Name | ast.Attribute | ast.Subscript | ast.Call)
    context.editing.replace(start, end, f"{text}.bool()" if whole else f"({text}).bool()")


def _may_be_a_mask(node: ast.AST) -> bool:
    """Whether something is indexed by what is no number, text or slice."""
    if not isinstance(node, ast.Subscript):
        return False
    items = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    return not all(isinstance(item, (ast.Constant, ast.Slice, ast.UnaryOp)) for item in items)
