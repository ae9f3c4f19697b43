"""Whether a loss holds gradients of its own: then MindSpore has to compile what differentiates it."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from mindport.inference import values as v
from mindport.inference.facts import Facts

GRAD = "torch.autograd.grad"


def is_gradient_call(facts: Facts, node: ast.AST) -> bool:
    """``torch.autograd.grad(…)``."""
    return isinstance(node, ast.Call) and v.Api(GRAD) in v.options(facts.value(node.func))


def keeps_graph(call: ast.Call) -> bool:
    """Whether the gradient is itself differentiated."""
    return any(k.arg == "create_graph" and not (isinstance(k.value, ast.Constant) and not k.value.value) for k in call.keywords)


def has_second_order(facts: Facts, nodes: Iterable[ast.AST], seen: frozenset[int] = frozenset()) -> bool:
    """Whether the statements, or project functions that they call, take gradients that are differentiated again."""
    for node in nodes:
        for part in ast.walk(node):
            if not isinstance(part, ast.Call):
                continue
            if is_gradient_call(facts, part) and keeps_graph(part):
                return True
            for option in v.options(facts.value(part.func)):
                function = option.function if isinstance(option, v.Bound) else option
                if isinstance(function, v.ProjectFunction) and id(function.scope.node) not in seen:
                    scope = function.scope
                    body = scope.node.body if isinstance(scope.node.body, list) else [scope.node.body]
                    if has_second_order(scope.module.facts, body, seen | {id(scope.node)}):
                        return True
    return False
