"""``cross_entropy(logits, labels)`` where the function sets logits to minus infinity, or a forward pass of the project hands such back
(``arc = arc.masked_fill(pad, -inf); return arc, rel``): a form whose loss is finite where torch's is.

MindSpore multiplies the logarithms by a mask of the label, so one class of minus infinity makes the loss of its sample NaN. So do two of
the lowest number of a dtype (``torch.finfo(scores.dtype).min``): it adds the logarithms up for a smoothing of 0, and their sum is infinite.
"""

from __future__ import annotations

import ast
from functools import cache

from mindport.convert.context import Context, Files
from mindport.convert.other_forms import take_form
from mindport.convert.scopes import scope_of
from mindport.convert.training.names import own_nodes
from mindport.forms import OF_MASKED
from mindport.inference.facts import Use

#: A thousand of these are too low for float32.
LOW = 1e35


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Give such uses the name of the other form."""
    infinite = cache(lambda: {id(scope_of(context, node)) for node in context.file.nodes if _is_hidden(node)})
    take_form(context, uses, OF_MASKED, lambda call: context.once(_hand_infinity_back) or id(scope_of(context, call)) in infinite())


def _hand_infinity_back(project: Files) -> bool:
    """Whether a forward pass writes minus infinity into what it returns as it is."""
    functions = (node for file, _ in project for node in file.nodes if isinstance(node, ast.FunctionDef) and node.name == "forward")
    return any(_returns_infinity(function) for function in functions)


def _returns_infinity(function: ast.FunctionDef) -> bool:
    inside = list(own_nodes(function))
    written: dict[str, bool] = {}  # names → whether the last statement that binds or changes one writes the infinity
    for statement in sorted((n for n in inside if isinstance(n, (ast.Assign, ast.AnnAssign, ast.Expr))), key=lambda n: n.lineno):
        infinite = statement.value is not None and any(_is_hidden(n) for n in ast.walk(statement.value))
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                written[name] = infinite
            case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=name))]) | ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name)))):
                written[name] = infinite or written.get(name, False)
    return any(isinstance(part, ast.Name) and written.get(part.id, False) for n in inside if isinstance(n, ast.Return) and n.value is not None for part in _parts(n.value))


def _parts(returned: ast.expr) -> list[ast.expr]:
    """What is handed back by itself, in a tuple, a list, a dict or an object that holds it."""
    match returned:
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return parts
        case ast.Dict(values=parts):
            return parts
        case ast.Call(func=ast.Name(id=name), args=given, keywords=named) if name[:1].isupper():
            return [*given, *(k.value for k in named)]
    return [returned]


def _is_hidden(node: ast.AST) -> bool:
    """Minus infinity, or as low as a number gets: ``torch.finfo(x.dtype).min``, ``-np.finfo(np.float32).max``, ``-3e38``."""
    match node:
        case ast.Attribute(value=ast.Call(func=ast.Attribute(attr="finfo") | ast.Name(id="finfo")), attr="min" | "max"):
            return True
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=float() as size)):
            return size >= LOW
    return is_minus_infinity(node)


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
