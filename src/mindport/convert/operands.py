"""What a call computes on: a method's receiver, a function's first argument."""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.inference import values as v
from mindport.inference.facts import Use


def operand(use: Use) -> ast.expr | None:
    """The first operand of a call; None where it is no call, or where nothing or a starred argument stands first."""
    call = use.node
    if not isinstance(call, ast.Call):
        return None
    if use.kind == "method":
        return call.func.value if isinstance(call.func, ast.Attribute) else None
    if call.args:
        return None if isinstance(call.args[0], ast.Starred) else call.args[0]
    return next((k.value for k in call.keywords if k.arg in ("input", "obj")), None)


def operands(use: Use) -> list[ast.expr]:
    """What a call may compute on: the receiver of a method, and every argument that is not starred."""
    call = use.node
    if not isinstance(call, ast.Call):
        return []
    receiver = [call.func.value] if use.kind == "method" and isinstance(call.func, ast.Attribute) else []
    return [*receiver, *(a for a in call.args if not isinstance(a, ast.Starred)), *(k.value for k in call.keywords if k.arg)]


def may_be_tensor(context: Context, node: ast.expr) -> bool:
    """Whether an expression is a tensor, or unknown, in all that it can be."""
    return all(isinstance(kind, (v.TensorValue, v.Unknown)) for kind in v.options(context.facts.value(node)))
