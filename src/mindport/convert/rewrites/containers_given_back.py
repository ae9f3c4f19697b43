"""``net.append(a).append(b)`` and ``first + second``: PyTorch's containers give themselves back, and two sequences make one; MindSpore's give None, and raise."""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.convert.instances import is_instance_of
from mindport.inference import values as v
from mindport.inference.facts import Use

KNOWLEDGE = "mindport.layers.container"
_APPENDING = frozenset(("torch.nn.Sequential.append", "torch.nn.ModuleList.append"))
_SEQUENCE = frozenset(("torch.nn.Sequential",))


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan functions that give a container back where something is done with it."""
    for same_place in uses.values():
        call = same_place[0].node
        if all(use.name in _APPENDING and use.kind == "method" for use in same_place) and isinstance(call, ast.Call) and _is_wanted(context, call):
            context.claimed.add(id(call))
            context.plan(call, lambda c=call: _append(context, c), last=True)  # type: ignore[misc]
    for node in context.file.nodes:
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) and _is_sequence(context, node.left) and _is_sequence(context, node.right):
            context.plan(node, lambda n=node: _call(context, "joined", n, n.left, n.right), last=True)  # type: ignore[misc]


def _is_wanted(context: Context, call: ast.Call) -> bool:
    plain = isinstance(call.func, ast.Attribute) and len(call.args) == 1 and not call.keywords and not isinstance(call.args[0], ast.Starred)
    return plain and not isinstance(context.parents.get(id(call)), ast.Expr)


def _is_sequence(context: Context, node: ast.expr) -> bool:
    kinds = v.options(context.facts.value(node))
    return bool(kinds) and all(is_instance_of(kind, _SEQUENCE) for kind in kinds)


def _append(context: Context, call: ast.Call) -> None:
    assert isinstance(call.func, ast.Attribute)
    _call(context, "appended", call, call.func.value, call.args[0])


def _call(context: Context, name: str, node: ast.expr, *arguments: ast.expr) -> None:
    texts = [context.editing.current(*context.editing.span(argument)) for argument in arguments]
    context.editing.replace(*context.editing.span(node), f"{context.definition(KNOWLEDGE, name)}({', '.join(texts)})")
