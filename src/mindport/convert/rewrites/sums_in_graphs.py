"""``total = 0.0``, then ``total += loss``, in what is compiled for gradients of gradients: ``total = total + loss``.

A graph of MindSpore's takes ``0.0 + a``, ``1.0 * a`` and ``a + 0`` for `a` itself, and ``total += b`` then changes that: who reads `a` behind it, the loss or a log, gets the sum.
Where a name is bound to numbers and results of operators alone, nothing else holds what it stands for, and both texts mean the same.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.convert.scopes import scope_of
from mindport.convert.training.names import own_nodes
from mindport.convert.training.second_order import compiles_steps
from mindport.inference import values as v
from mindport.inference.facts import Use

_SYMBOLS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}
#: What binds more closely than a sum.
_BINDING = (ast.Mult, ast.Div, ast.MatMult, ast.Pow)
#: What needs no parentheses behind an operator.
_CLOSED = (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.Constant)


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the sums."""
    if context.on_tape or not compiles_steps(context):
        return
    for node in context.file.nodes:
        match node:
            case ast.AugAssign(target=ast.Name(id=name), op=op, value=value) if type(op) in _SYMBOLS and id(node) not in context.claimed and _may_be_tensor(context, value):
                if _is_alone(scope_of(context, node), name):
                    context.plan(node, lambda n=node: _write(context, n), last=True)  # type: ignore[misc]


def _may_be_tensor(context: Context, value: ast.expr) -> bool:
    return any(isinstance(kind, (v.Unknown, v.TensorValue)) for kind in v.options(context.facts.value(value)))


def _is_alone(scope: ast.AST, name: str) -> bool:
    """Whether all that a scope binds a name to is new, and no other name gets it by itself."""
    parts = list(own_nodes(scope))
    stores = sum(isinstance(part, ast.Name) and part.id == name and not isinstance(part.ctx, ast.Load) for part in parts)
    augmented = sum(isinstance(part, ast.AugAssign) and isinstance(part.target, ast.Name) and part.target.id == name for part in parts)
    plain = [part.value for part in parts if isinstance(part, ast.Assign) and [getattr(t, "id", "") for t in part.targets] == [name]]
    handed_on = any(isinstance(part, ast.Assign) and isinstance(part.value, ast.Name) and part.value.id == name for part in parts)
    return bool(plain) and stores == len(plain) + augmented and all(map(_is_new, plain)) and not handed_on


def _is_new(value: ast.expr) -> bool:
    return isinstance(value, ast.BinOp) or isinstance(value, ast.Constant) and isinstance(value.value, (int, float))


def _write(context: Context, node: ast.AugAssign) -> None:
    editing, (start, end) = context.editing, context.editing.span(node.value)
    first = editing.span(node.target)[1]
    between, name = editing.text[first:start], ast.unparse(node.target)
    symbol = _SYMBOLS[type(node.op)]
    if between.strip() != f"{symbol}=":
        return
    product = isinstance(node.value, ast.BinOp) and isinstance(node.value.op, _BINDING) and symbol in "+-"
    if not isinstance(node.value, _CLOSED) and not product:
        editing.replace(start, end, f"({editing.current(start, end)})")
    editing.replace(first, start, f" = {name} {symbol} ")
