"""``image.requires_grad = True``: a tensor whose `grad` is read becomes a parameter, as MindSpore knows no other leaves."""

from __future__ import annotations

import ast

from mindport.convert.context import MODULE, Context
from mindport.convert.rewrites.backward import own
from mindport.convert.training.leaves import Leaf, leaves
from mindport.convert.training.names import FUNCTIONS
from mindport.inference import torchfacts
from mindport.inference import values as v
from mindport.inference.facts import Use


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan ``image = leaf(image)`` in all functions and at module level."""
    if context.on_tape:  # there, tensors have gradients themselves
        return
    for scope in [context.file.tree, *(n for n in ast.walk(context.file.tree) if isinstance(n, FUNCTIONS))]:
        for leaf in leaves(scope):
            if not _is_module(context, leaf):
                _plan(context, leaf)


def _is_module(context: Context, leaf: Leaf) -> bool:
    receiver = leaf.call.func.value if isinstance(leaf.call, ast.Call) and isinstance(leaf.call.func, ast.Attribute) else None
    for node in ast.walk(leaf.statement):
        if isinstance(node, ast.Name) and (node is receiver or (leaf.call is None and node.id == leaf.name)):
            for option in v.options(context.facts.value(node)):
                if isinstance(option, v.ProjectInstance) or (isinstance(option, v.Instance) and (option.cls == MODULE or MODULE in torchfacts.ancestors(option.cls))):
                    return True
                if isinstance(option, v.TensorValue) and option.parameter:
                    return True
    return False


def _plan(context: Context, leaf: Leaf) -> None:
    call = leaf.call
    if call is None or isinstance(leaf.statement, ast.Expr):
        for node in ast.walk(leaf.statement):
            context.claimed.add(id(node))
        context.plan(leaf.statement, lambda: _replace(context, leaf.statement, f"{leaf.name} = {own(context, 'leaf')}({leaf.name})"), last=True)
        return
    assert isinstance(call, ast.Call)
    if isinstance(call.func, ast.Attribute) and call.func.attr == "requires_grad_":
        receiver = call.func.value
        context.claimed.add(id(call))
        context.plan(call, lambda: _replace(context, call, f"{own(context, 'leaf')}({context.editing.current(*context.editing.span(receiver))})"), last=True)
        return
    context.plan(call, lambda: _replace(context, call, f"{own(context, 'leaf')}({context.editing.current(*context.editing.span(call))})"), last=True)


def _replace(context: Context, node: ast.AST, text: str) -> None:
    context.editing.replace(*context.editing.span(node), text)
