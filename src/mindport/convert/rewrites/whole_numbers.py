"""``torch.log(counts)`` of whole numbers becomes ``ops.log(counts.float())``: torch computes in float32, MindSpore's CPU raises.

Only where the dtype is known to be an integer's or bool.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.convert.dtypes import WHOLE
from mindport.convert.operands import operand
from mindport.convert.printing import is_atom
from mindport.inference import values as v
from mindport.inference.facts import Use

_SHORT = (
    "rsqrt", "exp", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh",
    "asinh", "acosh", "atanh", "arcsin", "arccos", "arctan", "sigmoid", "erf", "erfc", "deg2rad", "rad2deg", "reciprocal", "logit",
)  # fmt: skip
_FUNCTIONS = frozenset(f"{family}{name}" for family in ("torch.", "torch.Tensor.") for name in _SHORT)


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the cast of every such operand."""
    for same_place in uses.values():
        for use in same_place:
            if use.name in _FUNCTIONS and use.kind in ("call", "method") and isinstance(use.node, ast.Call):
                subject = operand(use)
                if subject is not None and _whole(context, subject):
                    context.plan(subject, lambda o=subject: _write(context, o), last=True)  # type: ignore[misc]


def _whole(context: Context, node: ast.expr) -> bool:
    kinds = v.options(context.facts.value(node))
    return bool(kinds) and all(isinstance(kind, v.TensorValue) and kind.dtype in WHOLE and not kind.likely for kind in kinds)


def _write(context: Context, subject: ast.expr) -> None:
    start, end = context.editing.span(subject)
    text = context.editing.current(start, end)
    context.editing.replace(start, end, f"{text}.float()" if is_atom(subject) else f"({text}).float()")
