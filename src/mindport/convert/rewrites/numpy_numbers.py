"""``np.sqrt(2) * x`` becomes ``x * np.sqrt(2)``: NumPy's numbers on the left make an array of a MindSpore tensor.

torch's tensors ask NumPy to leave the operation to them (``__array_priority__``), MindSpore's do not: the result is an
array, and the gradient through it is lost without an error. Where the operands cannot change places (``-``, ``/``, ``**``)
``.item()`` makes the number Python's. An array on the left raises in torch, so what stands there is a number.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.inference import values as v
from mindport.inference.facts import Use

ARRAY = "numpy.ndarray"
_PLAIN = (ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.Constant)
_SIGNS: dict[type, str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
}  # fmt: skip
#: Functions of NumPy that make numbers of numbers; with what is not known on the right only these are moved.
_OF_NUMBERS = frozenset(
    f"numpy.{name}" for name in ("sqrt", "log", "log2", "log10", "exp", "exp2", "power", "sin", "cos", "tan", "float32", "float64", "cbrt")
)


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the exchange, or ``.item()``, for every operator with a NumPy number before a tensor."""
    for node in ast.walk(context.file.tree):
        if isinstance(node, ast.BinOp) and type(node.op) in _SIGNS:
            left, right = node.left, node.right
        elif isinstance(node, ast.AugAssign) and type(node.op) in _SIGNS and isinstance(node.target, ast.Name):
            left, right = node.target, node.value
        else:
            continue
        kinds = v.options(context.facts.value(left))
        if not any(_of_numpy(kind) for kind in kinds):
            continue
        others = v.options(context.facts.value(right))
        known = any(isinstance(o, v.TensorValue) or (isinstance(o, v.Unknown) and o.of_tensors) for o in others)
        if not known and not (any(isinstance(o, v.Unknown) for o in others) and _number(context, left)):
            continue
        exchange = isinstance(node.op, (ast.Add, ast.Mult))
        if exchange or (known and all(_of_numpy(kind) for kind in kinds)):
            context.plan(node, lambda n=node, sides=(left, right), e=exchange: _write(context, n, sides, e), last=True)  # type: ignore[misc]


def _of_numpy(kind: v.Value) -> bool:
    return isinstance(kind, v.Instance) and kind.cls == ARRAY


def _number(context: Context, node: ast.expr) -> bool:
    """Whether an expression is evidently a number of NumPy: ``np.sqrt(d)``, ``2 * np.log(n)``."""
    match node:
        case ast.BinOp(left=left, right=right):
            return _number(context, left) or _number(context, right)
        case ast.Call(func=function, args=[argument, *_]):
            called = context.facts.value(function)
            kinds = v.options(context.facts.value(argument))
            return isinstance(called, v.Api) and called.name in _OF_NUMBERS and not any(_of_numpy(k) for k in kinds)
        case _:
            return False


def _write(context: Context, node: ast.BinOp | ast.AugAssign, sides: tuple[ast.expr, ast.expr], exchange: bool) -> None:
    editing = context.editing
    left, right = sides
    number, other = editing.current(*editing.span(left)), editing.current(*editing.span(right))
    if not isinstance(right, (*_PLAIN, ast.UnaryOp)):
        other = f"({other})"
    if not isinstance(left, _PLAIN):
        number = f"({number})"
    sign = _SIGNS[type(node.op)]
    text = f"{other} {sign} {number}" if exchange else f"{number}.item() {sign} {other}"
    start, end = editing.span(node)
    editing.replace(start, end, text if isinstance(node, ast.BinOp) else f"{editing.text[slice(*editing.span(left))]} = {text}")
