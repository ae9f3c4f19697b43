"""A tensor without axes beside one with axes, and Python's floats beside float64.

torch keeps the dtype of the tensor with axes (``x.half() + torch.tensor(1.5)`` is float16), MindSpore takes the wider one:
``keeping_dtype("+", x, y)`` casts as torch does. Only where the dtype of one of the two is known, another one may stand
beside it, and neither is known to have axes like the other: float32 beside float32 keeps its operator.
A Python float passes through float32 beside MindSpore's float64 tensors: it is made a tensor.
"""

from __future__ import annotations

import ast
import struct

from mindport.convert.context import Context
from mindport.inference import values as v
from mindport.inference.facts import Use
from mindport.inference.operators import NUMBERS

KNOWLEDGE = "mindport.equivalents.promotion"
OPERATION, OPERAND = "keeping_dtype", "beside"
_SIGNS: dict[type, str] = {
    ast.Add: "+", ast.Sub: "-", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
}  # fmt: skip
#: These keep the dtype by themselves, but that MindSpore has no kernel for bfloat16 beside float32.
_PRODUCTS: dict[type, str] = {ast.Mult: "*", ast.Div: "/"}
_COMPARISONS = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_ALIASES = {"half": "float16", "float": "float32", "double": "float64", "short": "int16", "int": "int32", "long": "int64"}
#: Functions of a tensor and numbers that MindSpore takes through float32.
_WITH_NUMBERS = frozenset((
    "add", "sub", "mul", "div", "multiply", "subtract", "divide", "true_divide", "pow", "remainder", "fmod", "clamp", "clip", "where", "masked_fill", "eq", "ne", "lt", "le", "gt", "ge",
    "rsub", "floor_divide", "clamp_min", "clamp_max", "xlogy",
))  # fmt: skip
_WHOLE = ("uint8", "int8", "int16", "int32", "int64")
_FLOATING = ("bfloat16", "float16", "float32", "float64")
#: Functions of two tensors whose dtypes are promoted, and where these stand.
_CALLS = {"torch.where": (1, 2), **dict.fromkeys([f"torch.{n}" for n in ("maximum", "minimum", "max", "min", "add", "sub", "pow", "remainder", "fmod")], (0, 1))}
#: What a program gets without asking for it: a tensor of another dtype is the one that may lose it.
_USUAL = ("float32", "int64", "float64")


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan every operation of two tensors whose dtypes may differ, and of float64 beside a float."""
    if KNOWLEDGE not in context.shared.catalog.modules:
        return
    for same_place in uses.values():
        use = same_place[0]
        if use.name in _CALLS and isinstance(use.node, ast.Call) and len(use.node.args) > max(_CALLS[use.name]):
            _operands(context, *(use.node.args[place] for place in _CALLS[use.name]))
        if isinstance(use.node, ast.Call) and use.name.rpartition(".")[2].rstrip("_") in _WITH_NUMBERS and use.kind in ("call", "method"):
            _numbers(context, use.node, method=use.name.startswith("torch.Tensor.") and isinstance(use.node.func, ast.Attribute))
    for node in context.file.nodes:
        if isinstance(node, ast.BinOp) and type(node.op) in _SIGNS | _PRODUCTS:
            left, right = context.facts.value(node.left), context.facts.value(node.right)
            if _may_widen(left, right, type(node.op)):
                context.plan(node, lambda n=node: _write(context, n), last=True)  # type: ignore[misc]
            _number(context, node.left, _tensor(right))
            _number(context, node.right, _tensor(left))
        elif isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], _COMPARISONS):
            other = node.comparators[0]
            _number(context, node.left, _tensor(context.facts.value(other)))
            _number(context, other, _tensor(context.facts.value(node.left)))
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name) and type(node.op) in _SIGNS | _PRODUCTS:
            target = _tensor(context.facts.value(node.target))
            _number(context, node.value, target)
            if target is not None and _dtype(target) not in ("", *_USUAL) and _may_widen(target, context.facts.value(node.value), type(node.op)):
                context.plan(node.value, lambda o=node.value, n=node.target.id: _write_beside(context, o, n), last=True)  # type: ignore[misc]
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
            _number(context, node.value, _tensor(context.facts.value(node.targets[0].value)))


def _number(context: Context, number: ast.expr, tensor: v.TensorValue | None) -> None:
    """Plan a float beside a float64 tensor, where float32 does not hold it."""
    if _is_double(context, tensor) and _loses_digits(context.facts.value(number)):
        context.plan(number, lambda: _write_number(context, number), last=True)


def _is_double(context: Context, tensor: v.TensorValue | None) -> bool:
    """Whether a tensor is of float64, or becomes it beside a float: so does each of which nothing tells, where that is the default dtype."""
    return tensor is not None and _dtype(tensor) in (("float64", "") if context.computes_in_double else ("float64",))


def _numbers(context: Context, call: ast.Call, method: bool) -> None:
    """``x.mul(0.1)``, ``torch.clamp(x, max=0.1)``: the operands beside the tensor."""
    operands = [call.func.value, *call.args] if method and isinstance(call.func, ast.Attribute) else list(call.args)
    operands += [keyword.value for keyword in call.keywords]
    if any(_is_double(context, _tensor(context.facts.value(operand))) for operand in operands) and any(_loses_digits(context.facts.value(operand)) for operand in operands):
        for operand in operands:
            if _is_number(context.facts.value(operand)):  # of two bounds both: MindSpore takes two numbers or two tensors
                context.plan(operand, lambda o=operand: _write_number(context, o), last=True)  # type: ignore[misc]


def _operands(context: Context, left: ast.expr, right: ast.expr) -> None:
    """Two arguments: each that stands beside a name is cast to what the name has."""
    if not _may_widen(context.facts.value(left), context.facts.value(right), ast.Add):
        return
    for operand, other in ((left, right), (right, left)):
        if isinstance(other, ast.Name):
            context.plan(operand, lambda o=operand, n=other.id: _write_beside(context, o, n), last=True)  # type: ignore[misc]


def _tensor(value: v.Value) -> v.TensorValue | None:
    return value if isinstance(value, v.TensorValue) else None


def _dtype(tensor: v.TensorValue | None) -> str:
    short = tensor.dtype.removeprefix("torch.") if tensor is not None and tensor.dtype is not None and not tensor.likely else ""
    return _ALIASES.get(short, short)


def _may_widen(left: v.Value, right: v.Value, op: type) -> bool:
    """Whether MindSpore may give a wider dtype than torch."""
    one, other = _tensor(left), _tensor(right)
    if one is None or other is None or (one.shape and other.shape):
        return False
    dtypes = (_dtype(one), _dtype(other))
    for kinds in (_WHOLE, _FLOATING):
        if dtypes[0] in kinds or dtypes[1] in kinds:
            known = [d for d in dtypes if d]
            if any(d not in kinds for d in known) or dtypes[0] == dtypes[1]:
                return False
            if op in _PRODUCTS and "bfloat16" not in known:
                return False
            if len(known) == 2:
                return True
            scalar = one if dtypes[0] else other
            return known[0] not in _USUAL or (known[0] == "float64" and scalar.shape == ())
    return False


def _is_number(value: v.Value) -> bool:
    return _loses_digits(value) or (isinstance(value, v.Const) and type(value.value) in (int, float)) or value == v.Builtin("int")


def _loses_digits(number: v.Value) -> bool:
    """Whether a number is a float that float32 does not hold."""
    if isinstance(number, (v.Builtin, v.Api)):
        return number == v.Builtin("float") or (isinstance(number, v.Api) and number.name in NUMBERS)
    if not isinstance(number, v.Const) or type(number.value) is not float or abs(number.value) > 3e38:
        return False
    return bool(struct.unpack("f", struct.pack("f", number.value))[0] != number.value)


def _write(context: Context, node: ast.BinOp) -> None:
    editing = context.editing
    left, right = (editing.current(*editing.span(side)) for side in (node.left, node.right))
    name, sign = context.definition(KNOWLEDGE, OPERATION), (_SIGNS | _PRODUCTS)[type(node.op)]
    editing.replace(*editing.span(node), f'{name}("{sign}", {left}, {right})')


def _write_beside(context: Context, operand: ast.expr, name: str) -> None:
    start, end = context.editing.span(operand)
    context.editing.replace(start, end, f"{context.definition(KNOWLEDGE, OPERAND)}({context.editing.current(start, end)}, {name})")


def _write_number(context: Context, number: ast.expr) -> None:
    start, end = context.editing.span(number)
    ms = context.imports.local("mindspore", None, "ms")
    context.editing.replace(start, end, f"{ms}.tensor({context.editing.current(start, end)}, {ms}.float64)")
