"""What to do about a changing shape: advice for every cause, and a difference of texts where the rewrite is safe.

Safe means: the rewritten line computes the same number for every finite input. A sum over selected elements is the sum
over all of them with the others set to zero; a mean is that sum over the number of true elements (``nan`` for none, as
torch has it). `torch.where` is used, not a product, so that ``inf`` and ``nan`` under the mask do no harm.
"""

from __future__ import annotations

import ast

from mindport.analysis.answers import Snippet
from mindport.analysis.dynamic_shape.abstract import Source
from mindport.inference import values as v
from mindport.inference.facts import Facts
from mindport.source.walking import walk

ADVICE: dict[str, str] = {
    "input": "Pad to a constant or to a few bucket sizes; or compile once for all: net.set_inputs(ms.Tensor(shape=[None, …], dtype=…)) or ms.Symbol(max=…, divisor=…).",
    "batch": "drop_last=True for training (drop_remainder=True in MindSpore's batch); for evaluation pad the last batch and mask it.",
    "values": "Mask instead of selecting: ops.where(mask, x, 0) or ops.masked_fill before the reduction; where a selection must stay, topk with a constant k, padded, with a mask.",
    "size": "Keep the full extent and mask what lies behind the end; or round the size up to a multiple (buckets); a Python number that is no size goes in as ms.mutable(n).",
    "axis": "Compute each axis and choose with ops.where, or make the axis a constant of the configuration.",
    "turn": "The number of shapes is that of the turns; a mask over the full extent (ops.arange(n) < i) needs one.",
    "growth": "Write into a buffer of the greatest length by index and mask what is not there yet.",
    "list": "Keep every row and a mask of those that count, in place of a list that is longer or shorter.",
    "branch": "Compute both branches in one shape and choose with ops.where(condition, a, b); mask in both.",
    "loop": "Run a constant number of turns and keep the old value after the end: x = ops.where(i < n, step(x), x); or a while on tensors of fixed shape.",
}  # fmt: skip
_SUM, _MEAN = "sum", "mean"
#: The sum over what a mask is true for, in one shape.
_MASKED_SUM = "torch.where({mask}, {values}, 0).sum()"


def difference(source: Source, facts: Facts) -> Snippet | None:
    """The line as it could be, where ``x[mask].sum()`` or ``x[mask].mean()`` stands in one line; None elsewhere."""
    if source.cause != "values":
        return None
    found = _reduced(source)
    if found is None:
        return None
    reduction, values, mask = found
    selected = facts.value(values)
    shape_known = isinstance(selected, v.TensorValue) and selected.shape is not None
    dimensions = selected.shape if isinstance(selected, v.TensorValue) else None
    masked = facts.value(mask)
    same = _same_tensor(values, mask) or (
        shape_known and isinstance(masked, v.TensorValue) and masked.shape == dimensions and None not in (dimensions or (None,))
    )
    if not same:
        return None  # a mask of fewer dimensions selects rows: the product would have to be spread
    x, m = ast.unparse(values), ast.unparse(mask)
    total = _MASKED_SUM.format(mask=m, values=x)
    wanted = total if reduction.func.attr == _SUM else f"{total} / ({m}).sum()"  # type: ignore[attr-defined]
    if reduction.lineno != (reduction.end_lineno or 0):
        return None
    line = source.file.line(reduction.lineno)
    old = source.file.segment(reduction)
    if line.count(old) != 1:
        return None
    place = f"{source.file.relative}:{reduction.lineno}"
    text = f"--- {place}\n+++ {place}\n-{line.rstrip()}\n+{line.rstrip().replace(old, wanted)}\n"
    return Snippet(f"Fixed shapes at {place}", "diff", text, "The same number for all finite inputs; the shape no longer changes.")


def _reduced(source: Source) -> tuple[ast.Call, ast.expr, ast.expr] | None:
    """(the reduction, what is selected from, the mask) around a source."""
    for node in walk(source.file.tree):
        if (
            isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in (_SUM, _MEAN)
            and node.func.value is source.node and not node.args and not node.keywords
        ):  # fmt: skip
            picked = source.node
            if isinstance(picked, ast.Subscript) and not isinstance(picked.slice, (ast.Tuple, ast.Slice)):
                return node, picked.value, picked.slice
            if isinstance(picked, ast.Call) and isinstance(picked.func, ast.Attribute) and not picked.keywords:
                if len(picked.args) == 2:
                    return node, picked.args[0], picked.args[1]
                if len(picked.args) == 1:
                    return node, picked.func.value, picked.args[0]
    return None


def _same_tensor(values: ast.expr, mask: ast.expr) -> bool:
    """Whether the mask is a comparison of the tensor itself with a number: both have one shape."""
    return isinstance(mask, ast.Compare) and ast.dump(mask.left) == ast.dump(values) and all(isinstance(c, ast.Constant) for c in mask.comparators)
