"""Operators on the bits of tensors: ``x << n``, ``x >> n`` (MindSpore's tensors have none), ``~x`` of integers (there the
logical not, silently), and ``3 & x`` (a number does not know how to stand first).

``~x`` stays where the tensor is known to be boolean; the vendored function decides where the dtype is not known.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.convert.dtypes import INTEGERS
from mindport.inference import values as v
from mindport.inference.facts import Use

_SHIFTS: dict[type[ast.operator], str] = {ast.LShift: "torch.bitwise_left_shift", ast.RShift: "torch.bitwise_right_shift"}
_EITHER_WAY = (ast.BitAnd, ast.BitOr, ast.BitXor)
_COMPLEMENT = "torch.bitwise_not"


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the vendored function, or the other order, where a tensor is known."""
    for node in context.file.nodes:
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert):
            dtypes = {o.dtype for o in v.options(context.facts.value(node.operand)) if isinstance(o, v.TensorValue)}
            if None in dtypes or dtypes & INTEGERS:
                context.plan(node, lambda n=node: _call(context, n, _COMPLEMENT, [n.operand]), last=True)  # type: ignore[misc]
        elif isinstance(node, ast.BinOp) and type(node.op) in _SHIFTS and (_is_tensor(context, node.left) or _is_tensor(context, node.right)):
            context.plan(node, lambda n=node: _call(context, n, _SHIFTS[type(n.op)], [n.left, n.right]), last=True)  # type: ignore[misc]
        elif isinstance(node, ast.BinOp) and isinstance(node.op, _EITHER_WAY) and isinstance(node.left, ast.Constant) and _is_tensor(context, node.right):
            context.plan(node, lambda n=node: _exchange(context, n), last=True)  # type: ignore[misc]


def _is_tensor(context: Context, node: ast.expr) -> bool:
    return v.is_tensor(context.facts.value(node))


def _call(context: Context, node: ast.expr, name: str, operands: list[ast.expr]) -> None:
    entry = next(entry for entry in context.shared.catalog.find(name) if entry.kind == "function")
    local = context.vendored_name(entry)
    texts = [context.editing.current(*context.editing.span(operand)) for operand in operands]
    context.editing.replace(*context.editing.span(node), f"{local}({', '.join(texts)})")


def _exchange(context: Context, node: ast.BinOp) -> None:
    left, right = (context.editing.current(*context.editing.span(part)) for part in (node.left, node.right))
    operator = {ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^"}[type(node.op)]  # type: ignore[index]
    if not isinstance(node.right, (ast.Name, ast.Attribute, ast.Subscript, ast.Call)):
        right = f"({right})"
    context.editing.replace(*context.editing.span(node), f"{right} {operator} {left}")
