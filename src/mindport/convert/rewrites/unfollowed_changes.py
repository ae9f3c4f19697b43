"""Changes in place that no assignment shows: ``operator.iadd(x, y)``, ``vars(o)["x"] -= 1``.

Python asks the tensor to change itself; MindSpore's makes a new one, which nobody sees here. Nothing follows such changes, so they are told.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.inference import values as v
from mindport.inference.facts import Use

#: Functions that ask their first argument to change itself.
_CHANGING = frozenset(
    v.Api(f"operator.{name}")
    for name in ("iadd", "isub", "imul", "itruediv", "ifloordiv", "imod", "ipow", "iand", "ior", "ixor", "ilshift", "irshift", "imatmul")
)
_DICTIONARY = v.Api("builtins.vars")
#: ``reduce(operator.iadd, lists, [])``: what is changed is the last of so many arguments.
_STARTED = 3


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Report the places in projects that have to do with PyTorch."""
    if not context.beside_torch():
        return
    for node in context.file.nodes:
        match node:
            case ast.Name(ctx=ast.Load()) | ast.Attribute(ctx=ast.Load()) if _CHANGING.intersection(v.options(context.facts.value(node))):
                _of_operator(context, node)
            case ast.AugAssign(target=ast.Subscript(value=value) as target) if _of_attributes(context, value) and _may_be_tensor(context, target):
                _report(context, node, f"`{context.file.segment(node)}`")


def _of_operator(context: Context, node: ast.expr) -> None:
    call = context.parents.get(id(node))
    if isinstance(call, ast.Call) and call.func is node:
        changed = call.args[0] if call.args else None
        if changed is not None and (isinstance(changed, ast.Starred) or _may_be_tensor(context, changed)):
            _report(context, call, f"`{context.file.segment(call)}`")
    elif not (isinstance(call, ast.Call) and len(call.args) == _STARTED and not _may_be_tensor(context, call.args[-1])):
        _report(context, node, f"`{context.file.segment(node)}`, handed on,")


def _of_attributes(context: Context, node: ast.expr) -> bool:
    """Whether an expression is the dictionary of an object's attributes."""
    match node:
        case ast.Attribute(attr="__dict__"):
            return True
        case ast.Call(func=function):
            return _DICTIONARY in v.options(context.facts.value(function))
    return False


def _may_be_tensor(context: Context, node: ast.expr) -> bool:
    """Whether it is a tensor, or nothing says that it is none in a file that uses PyTorch."""
    return any(isinstance(kind, v.TensorValue) or context.facts.uses and isinstance(kind, v.Unknown) for kind in v.options(context.facts.value(node)))


def _report(context: Context, node: ast.AST, what: str) -> None:
    context.report(
        "MP109", f"{what} changes a tensor in place where it is given one; MindSpore makes a new one, and the old one keeps its values",
        node, mark=True, advice="write the assignment to the tensor itself (`x += y`, `x.add_(y)`)",
    )  # fmt: skip
