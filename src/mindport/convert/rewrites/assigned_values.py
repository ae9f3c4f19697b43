"""``features[i] = net(image[None])``: torch drops axes of length 1 in front of a value that a region of a tensor takes.

MindSpore raises where the value has more axes than the region. Where neither shape is known, the vendored module
teaches its tensors torch's rule (`equivalents.index_values`).
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.inference import values as v
from mindport.inference.facts import Use

KNOWLEDGE, SETTING = "mindport.equivalents.index_values", "VALUES_AS_TORCH"


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Have the vendored module set writing right, where a value may have more axes than the region that it is written to."""
    if not context.beside_torch() or KNOWLEDGE not in context.shared.catalog.modules:
        return
    for node in context.file.nodes:
        if isinstance(node, ast.Assign) and any(_may_lack_axes(context, target, node.value) for target in node.targets):
            context.runs(context.shared.catalog.modules[KNOWLEDGE], SETTING)
            return


def _may_lack_axes(context: Context, target: ast.expr, value: ast.expr) -> bool:
    """Whether a target is a region of a tensor, and the value may be a tensor whose first axis has length 1."""
    if isinstance(target, (ast.Tuple, ast.List)):
        return any(_may_lack_axes(context, one, value) for one in target.elts)
    if not isinstance(target, ast.Subscript):
        return False
    base = context.facts.value(target.value)
    tensors = any(isinstance(one, v.TensorValue) for one in v.options(base))
    return tensors and any(_may_begin_with_one(one) for one in v.options(context.facts.value(value)))


def _may_begin_with_one(value: v.Value) -> bool:
    if isinstance(value, v.TensorValue):
        return value.shape is None or (len(value.shape) > 0 and (value.shape[0] == 1 or not isinstance(value.shape[0], int)))
    return isinstance(value, v.Unknown)
