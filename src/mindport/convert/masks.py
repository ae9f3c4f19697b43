"""Index items that may be masks of several axes: MindSpore takes what stands beside them by the length of another axis."""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.inference import values as v

_BOOLEAN = "torch.bool"


def mask_kind(context: Context, node: ast.expr) -> str:
    """"sure" for a mask, "maybe" for a tensor of unknown dtype or what is called a mask; "" for one that has one axis, or is none."""
    kinds = v.options(context.facts.value(node))
    tensors = [kind for kind in kinds if isinstance(kind, v.TensorValue)]
    if len(tensors) == len(kinds) and all(t.dtype == _BOOLEAN for t in tensors):
        return "" if all(t.shape is not None and len(t.shape) == 1 for t in tensors) else "sure"
    if any(t.dtype in (None, _BOOLEAN) and t.shape != () for t in tensors):
        return "maybe"
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    return "maybe" if "mask" in name.lower() and any(isinstance(kind, v.Unknown) for kind in kinds) else ""


def mask_between(context: Context, items: list[ast.expr]) -> bool:
    """Whether a mask that may have several axes stands behind ``...``, or between other items: there MindSpore raises, or counts axes otherwise."""
    for place, item in enumerate(items[1:], 1):
        kind = "" if written_out(item) else mask_kind(context, item)
        if kind and items[place + 1 :] and all(map(written_out, [*items[:place], *items[place + 1 :]])):
            return True
        if kind == "sure" and any(isinstance(each, ast.Constant) and each.value is ... for each in items[:place]):
            return True
    return False


def written_out(item: ast.expr) -> bool:
    """A slice, ``None``, ``...`` or a number that is written down."""
    match item:
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int())):
            return True
        case ast.Constant(value=value):
            return value is None or value is ... or (isinstance(value, int) and not isinstance(value, bool))
    return isinstance(item, ast.Slice)
