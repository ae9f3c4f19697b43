"""Gradients that are read of what no module counts among its parameters: ``net.w.grad`` of a plain tensor, ``net.layers[0].weight.grad`` of a plain list, ``Net.head.weight.grad``.

Where no optimizer says whose gradients are wanted, they are taken of the modules' parameters; these have theirs on the tape.
"""

from __future__ import annotations

import ast

from mindport.convert.context import MODULE, Context
from mindport.convert.training.names import key, own_nodes
from mindport.inference import values as v


def held_outside(context: Context, scope: ast.AST) -> ast.Attribute | None:
    """The first such reading of a function, or of the module's own statements."""
    read = (n for n in own_nodes(scope) if isinstance(n, ast.Attribute) and n.attr == "grad" and isinstance(n.ctx, ast.Load))
    return next((n for n in read if _is_plain_leaf(context, n.value) or _passes_plain_holder(context, n.value)), None)


def _is_plain_leaf(context: Context, node: ast.expr) -> bool:
    """Whether it is a tensor that a module has as it has any attribute."""
    kinds = v.options(context.facts.value(node))
    return isinstance(node, ast.Attribute) and _is_of_module(context, node) and bool(kinds) and all(isinstance(k, v.TensorValue) and not k.parameter for k in kinds)


def _passes_plain_holder(context: Context, node: ast.expr) -> bool:
    """Whether the way to it leads through a module's plain list or dict, or through a class."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        holder = node.value
        kinds = v.options(context.facts.value(holder))
        if isinstance(node, ast.Subscript):
            if isinstance(holder, ast.Attribute) and _is_of_module(context, holder) and all(isinstance(k, v.Sequence | v.Mapping) for k in kinds):
                return True
        elif all(isinstance(k, v.ProjectClass) and MODULE in k.scope.ancestors for k in kinds):
            return key(holder) is not None
        node = holder
    return False


def _is_of_module(context: Context, node: ast.Attribute) -> bool:
    kinds = v.options(context.facts.value(node.value))
    return bool(kinds) and all(isinstance(k, v.ProjectInstance) and MODULE in k.cls.scope.ancestors for k in kinds)
