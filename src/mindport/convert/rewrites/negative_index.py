"""``table[rows - shift]``, ``self.bias[index]``: index tensors that may hold negative numbers, whose gradient MindSpore loses.

The setting goes into the vendored module where an index of one axis is computed with a minus sign, or is handed in, or held by
a module, and picks from a parameter. What other operators give (``x.argmax()``, ``torch.arange(n)``) is not negative.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.convert.scopes import assigned, scopes
from mindport.convert.training.names import own_nodes
from mindport.inference import values as v
from mindport.inference.facts import Use

KNOWLEDGE, SETTING = "mindport.equivalents.negative_indices", "NEGATIVES_AS_TORCH"
_BOOLEAN = "torch.bool"


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Ask for the setting where a place needs it."""
    if context.beside_torch() and KNOWLEDGE in context.shared.catalog.modules and any(_needs(context, scope) for scope in scopes(context)):
        context.runs(context.shared.catalog.modules[KNOWLEDGE], SETTING)


def _needs(context: Context, scope: ast.AST) -> bool:
    bound = {name: [one.value for one in statements] for name, statements in assigned(scope).items()}
    return any(
        isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) and _may_be_index(context, node.slice)
        and _takes_gradient(context, node.value) and _may_be_negative(context, node, bound)
        for node in own_nodes(scope)
    )  # fmt: skip


def _may_be_index(context: Context, item: ast.expr) -> bool:
    """Whether a tensor of whole numbers, or something unknown, may stand in the brackets."""
    if isinstance(item, (ast.Tuple, ast.Slice, ast.Constant, ast.UnaryOp, ast.List, ast.Compare)):
        return False
    kinds = v.options(context.facts.value(item))
    return all(isinstance(k, v.Unknown) or isinstance(k, v.TensorValue) and k.dtype != _BOOLEAN and k.shape != () for k in kinds)


def _takes_gradient(context: Context, owner: ast.expr) -> bool:
    """Whether a tensor is indexed: a table of whole numbers has no gradient."""
    kinds = v.options(context.facts.value(owner))
    return bool(kinds) and all(isinstance(k, v.TensorValue) and (k.dtype is None or "float" in k.dtype) for k in kinds)


def _may_be_negative(context: Context, node: ast.Subscript, bound: dict[str, list[ast.expr]]) -> bool:
    names = [each.id for each in ast.walk(node.slice) if isinstance(each, ast.Name)]
    parts = [node.slice, *(value for name in names for value in bound.get(name, ()))]
    known = any(isinstance(k, v.TensorValue) for k in v.options(context.facts.value(node.slice)))
    if known and any(_has_minus(part) for part in parts):
        return True
    kinds = v.options(context.facts.value(node.value))
    parameter = any(isinstance(k, v.TensorValue) and k.parameter for k in kinds)
    return parameter and not any(name in bound for name in names)


def _has_minus(part: ast.expr) -> bool:
    return any(isinstance(each, ast.BinOp) and isinstance(each.op, ast.Sub) or isinstance(each, ast.UnaryOp) and isinstance(each.op, ast.USub) for each in ast.walk(part))
