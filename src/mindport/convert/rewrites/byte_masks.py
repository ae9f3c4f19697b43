"""``x[mask.byte()]``: indices of uint8 are masks in PyTorch; MindSpore's tensors are taught to take them."""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.inference.facts import Use

KNOWLEDGE = "mindport.equivalents.byte_masks"


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Put the setting into the vendored module of a program that makes such tensors, and import it where something is indexed."""
    if uses and context.file.relative in context.shared.beside_bytes and any(_may_be_a_mask(node) for node in context.file.nodes):
        context.runs(context.shared.catalog.modules[KNOWLEDGE], "BYTES_ARE_MASKS")


def _may_be_a_mask(node: ast.AST) -> bool:
    """Whether something is indexed by what is no number, text or slice."""
    if not isinstance(node, ast.Subscript):
        return False
    items = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    return not all(isinstance(item, (ast.Constant, ast.Slice, ast.UnaryOp)) for item in items)
