"""What is changed in place keeps its dtype in torch: where a new tensor under its name might get another one.

``x.half().add_(y)`` with a float32 `y` is float16, ``x.half() + y`` is float32.
"""

from __future__ import annotations

import ast

from mindport.convert.aliasing.objects import Mutation
from mindport.convert.context import Context
from mindport.convert.dtypes import INTEGERS, SHORT_FLOATS, TRUTH, USUAL_FLOATS, WHOLE, WIDE_FLOATS
from mindport.inference import values as v
from mindport.inference.overlays.creation import MADE_USUAL, OF_DATA

#: Whole numbers that a program gets by asking for them: a tensor of another dtype beside them is wider.
_STAYING = INTEGERS - {"torch.int64", "torch.long"}


def same_dtype(context: Context, target: ast.expr, operands: list[ast.expr]) -> bool:
    """False where an operand is known to have another dtype than the tensor, a wider one than tensors usually have, or a fraction beside whole numbers."""
    mine = _dtypes(context, target)
    for operand in operands:
        if mine & WHOLE and _is_fraction(context, operand):
            return False
        options = [o for o in v.options(context.facts.value(operand)) if isinstance(o, v.TensorValue)]
        theirs = {o.dtype for o in options if o.dtype}
        if mine and theirs and mine != theirs and theirs != {TRUTH}:
            return False
        wide = WIDE_FLOATS | USUAL_FLOATS if context.shared.uses_short_floats else WIDE_FLOATS
        if not mine and any(o.dtype in wide and not o.likely for o in options):
            return False
        if not mine and context.shared.uses_short_floats and is_made_usual(context, operand):
            return False
    return True


def is_whole(context: Context, target: ast.expr) -> bool:
    """Whether a tensor is known to hold whole numbers or truth values: a quotient does not fit into it."""
    return bool(_dtypes(context, target) & WHOLE)


def gives_dtype_of(context: Context, call: ast.Call, target: ast.expr) -> bool:
    """Whether a call with ``out=target`` computes the dtype that the target has and keeps: ``torch.eq(a, b, out=floats)`` does not."""
    mine, made = _dtypes(context, target), _dtypes(context, call)
    if made:
        return mine == made
    operands = [o.dtype for a in call.args for o in v.options(context.facts.value(a)) if isinstance(o, v.TensorValue)]
    if not mine or mine <= USUAL_FLOATS:
        return not any(dtype in WHOLE for dtype in operands)  # what else is not told is of the usual kind, most likely
    return bool(operands) and set(operands) <= mine


def is_made_usual(context: Context, operand: ast.expr) -> bool:
    """Whether a tensor is made where it stands, in the default dtype."""
    return isinstance(operand, ast.Call) and context.named.get(id(operand)) in MADE_USUAL and all(k.arg != "dtype" for k in operand.keywords)


def _dtypes(context: Context, node: ast.expr) -> set[str]:
    """The dtypes that an expression is known to have."""
    return {o.dtype for o in v.options(context.facts.value(node)) if isinstance(o, v.TensorValue) and o.dtype}


def _is_fraction(context: Context, operand: ast.expr) -> bool:
    """Whether it is a Python float, a tensor of the default dtype that is made where it stands, or one that is written out with fractions: ``torch.tensor([0.5, 1])``."""
    if is_made_usual(context, operand) or any(o == v.Builtin("float") or isinstance(o, v.Const) and o.kind is float for o in v.options(context.facts.value(operand))):
        return True
    written = isinstance(operand, ast.Call) and context.named.get(id(operand)) == OF_DATA and not operand.keywords
    return written and any(isinstance(part, ast.Constant) and type(part.value) is float for part in ast.walk(operand))


def may_change_dtype(context: Context, mutation: Mutation, chain: list[Mutation]) -> bool:
    """Whether a new tensor may have another dtype than the old one, of truth values, whole numbers or short floats: ``mask.fill_diagonal_(0)``."""
    target = context.facts.value(mutation.target)
    if not isinstance(target, v.TensorValue) or target.likely or target.dtype not in {TRUTH, *_STAYING, *SHORT_FLOATS}:
        return False
    for link in chain:
        given = [*link.node.args, *(k.value for k in link.node.keywords)] if isinstance(link.node, ast.Call) else []
        if isinstance(link.node, ast.AugAssign):
            given = [link.node.value]
        for argument in given:
            for option in v.options(context.facts.value(argument)):
                number = isinstance(option, (v.Const, v.Builtin)) and option not in (v.Const.of(True), v.Const.of(False), v.Builtin("bool"), v.NONE)
                if isinstance(option, v.Unknown) or (number and target.dtype == TRUTH) or (isinstance(option, v.TensorValue) and option.dtype not in (target.dtype, TRUTH)):
                    return True
    return False
