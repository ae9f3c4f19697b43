"""Where parameters are frozen and released: ``for p in net.parameters(): p.requires_grad = True``, in a function of the project, too."""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.convert.training.names import own_nodes
from mindport.inference import values as v

_FLAG, _METHOD = "requires_grad", "requires_grad_"


def toggle(context: Context, statement: ast.stmt) -> ast.AST | None:
    """The place in a statement where parameters start or stop to want gradients; None where there is none."""
    for node in [statement, *own_nodes(statement)]:
        target = _target(node)
        if target is not None and _is_parameters(context, statement, target):
            return node
        if isinstance(node, ast.Call) and any(_toggles(option) for option in v.options(context.facts.value(node.func))):
            return node
    return None


def _target(node: ast.AST) -> ast.expr | None:
    """What the flag of is set."""
    match node:
        case ast.Assign(targets=[ast.Attribute(value=target, attr=name)]) if name == _FLAG:
            return target
        case ast.Call(func=ast.Attribute(value=target, attr=name)) if name == _METHOD:
            return target
    return None


def _is_parameters(context: Context, statement: ast.stmt, target: ast.expr) -> bool:
    """Whether it is a module, a parameter, or what a loop goes through: a tensor by its own name is a leaf."""
    if isinstance(statement, ast.For | ast.While) and isinstance(target, ast.Name):
        looped = {n.id for part in ast.walk(statement) if isinstance(part, ast.For) for n in ast.walk(part.target) if isinstance(n, ast.Name)}
        if target.id in looped:
            return True
    return any(
        isinstance(o, (v.ProjectInstance, v.Instance)) or (isinstance(o, v.TensorValue) and o.parameter) for o in v.options(context.facts.value(target))
    )


def _toggles(called: v.Value) -> bool:
    """Whether a function of the project sets the flag of what it goes through."""
    function = called.function if isinstance(called, v.Bound) else called
    if not isinstance(function, v.ProjectFunction):
        return False
    loops = [part for part in own_nodes(function.scope.node) if isinstance(part, ast.For)]
    return any(_target(node) is not None for loop in loops for node in ast.walk(loop))
