"""``cross_entropy(logits, labels)`` where the function sets logits to minus infinity: a form whose loss is finite where torch's is.

MindSpore multiplies the logarithms by a mask of the label, so one class of minus infinity makes the loss of its sample NaN.
"""

from __future__ import annotations

import ast
from functools import cache

from mindport.convert.context import Context
from mindport.convert.other_forms import take_form
from mindport.convert.scopes import scope_of
from mindport.forms import OF_MASKED
from mindport.inference.facts import Use


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Give such uses the name of the other form."""
    infinite = cache(lambda: {id(scope_of(context, node)) for node in context.file.nodes if is_minus_infinity(node)})
    take_form(context, uses, OF_MASKED, lambda call: id(scope_of(context, call)) in infinite())


def is_minus_infinity(node: ast.AST) -> bool:
    """``float("-inf")``, ``-float("inf")``, ``-np.inf`` and the like."""
    match node:
        case ast.Call(func=ast.Name(id="float"), args=[ast.Constant(value=str(text))]):
            return text.strip().lower() in ("-inf", "-infinity")
        case ast.UnaryOp(op=ast.USub(), operand=ast.Attribute(attr="inf" | "infty" | "Inf")):
            return True
        case ast.UnaryOp(op=ast.USub(), operand=ast.Call(func=ast.Name(id="float"), args=[ast.Constant(value=str(text))])):
            return text.strip().lower() in ("inf", "infinity", "+inf")
    return False
