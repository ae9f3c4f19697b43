"""``net.append(a).append(b)``, ``first + second``, ``2 * block``, ``net += head``: PyTorch's containers give themselves back, are joined and repeated.

MindSpore's give None, and raise.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.convert.instances import is_instance_of
from mindport.inference import values as v
from mindport.inference.facts import Use

KNOWLEDGE = "mindport.layers.container"
_APPENDING = frozenset(("torch.nn.Sequential.append", "torch.nn.ModuleList.append"))
_SEQUENCE, _LIST = frozenset(("torch.nn.Sequential",)), frozenset(("torch.nn.ModuleList",))


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan functions that give a container back where something is done with it."""
    for same_place in uses.values():
        call = same_place[0].node
        if all(use.name in _APPENDING and use.kind == "method" for use in same_place) and isinstance(call, ast.Call) and _is_wanted(context, call):
            context.claimed.add(id(call))
            context.plan(call, lambda c=call: _append(context, c), last=True)  # type: ignore[misc]
    for node in context.file.nodes:
        if isinstance(node, (ast.BinOp, ast.AugAssign)) and (found := _combined(context, node)) is not None:
            context.plan(node, lambda n=node, f=found: _call(context, f[0], n, *f[1:]), last=True)  # type: ignore[misc]


def _combined(context: Context, node: ast.BinOp | ast.AugAssign) -> tuple[str, ast.expr, ast.expr] | None:
    """The function and its arguments, where an operator works on containers."""
    if isinstance(node, ast.AugAssign):
        if isinstance(node.op, ast.Add) and isinstance(node.target, (ast.Name, ast.Attribute)) and _is_container(context, node.target, _SEQUENCE | _LIST):
            return "extend", node.target, node.value
        return ("repeat", node.target, node.value) if isinstance(node.op, ast.Mult) and _is_container(context, node.target, _SEQUENCE) else None
    if isinstance(node.op, ast.Add) and _is_container(context, node.left, _LIST):
        return "joined_lists", node.left, node.right
    if isinstance(node.op, ast.Add) and _is_container(context, node.left, _SEQUENCE) and _is_container(context, node.right, _SEQUENCE):
        return "joined", node.left, node.right
    for sequence, times in ((node.left, node.right), (node.right, node.left)) if isinstance(node.op, ast.Mult) else ():
        if _is_container(context, sequence, _SEQUENCE):
            return "repeated", sequence, times
    return None


def _is_wanted(context: Context, call: ast.Call) -> bool:
    plain = isinstance(call.func, ast.Attribute) and len(call.args) == 1 and not call.keywords and not isinstance(call.args[0], ast.Starred)
    return plain and not isinstance(context.parents.get(id(call)), ast.Expr)


def _is_container(context: Context, node: ast.expr, classes: frozenset[str]) -> bool:
    kinds = v.options(context.facts.value(node))
    return bool(kinds) and all(is_instance_of(kind, classes) for kind in kinds)


def _append(context: Context, call: ast.Call) -> None:
    assert isinstance(call.func, ast.Attribute)
    _call(context, "appended", call, call.func.value, call.args[0])


def _call(context: Context, name: str, node: ast.expr, *arguments: ast.expr) -> None:
    texts = [context.editing.current(*context.editing.span(argument)) for argument in arguments]
    context.editing.replace(*context.editing.span(node), f"{context.definition(KNOWLEDGE, name)}({', '.join(texts)})")
