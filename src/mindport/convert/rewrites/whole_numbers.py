"""``torch.log(counts)`` of whole numbers becomes ``ops.log(counts.float())``: torch computes in float32, MindSpore's CPU raises.

Only where the dtype is known to be an integer's or bool.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.convert.dtypes import WHOLE
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
                operand = _operand(use)
                if operand is not None and _whole(context, operand):
                    context.plan(operand, lambda o=operand: _write(context, o), last=True)  # type: ignore[misc]


def _operand(use: Use) -> ast.expr | None:
    call = use.node
    assert isinstance(call, ast.Call)
    if use.kind == "method":
        return call.func.value if isinstance(call.func, ast.Attribute) else None
    if call.args:
        return None if isinstance(call.args[0], ast.Starred) else call.args[0]
    return next((k.value for k in call.keywords if k.arg == "input"), None)


def _whole(context: Context, node: ast.expr) -> bool:
    kinds = v.options(context.facts.value(node))
    return bool(kinds) and all(isinstance(kind, v.TensorValue) and kind.dtype in WHOLE and not kind.likely for kind in kinds)


def _write(context: Context, operand: ast.expr) -> None:
    start, end = context.editing.span(operand)
    text = context.editing.current(start, end)
    context.editing.replace(start, end, f"{text}.float()" if is_atom(operand) else f"({text}).float()")
