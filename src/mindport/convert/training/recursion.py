"""Functions that call themselves with arguments by name: MindSpore's compiler takes these for a dictionary (``gradients(du, x, order=order - 1)``)."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from mindport.convert.training.second_order import bodies, body_of
from mindport.inference import values as v
from mindport.inference.facts import Facts


def calls_itself(facts: Facts, nodes: Iterable[ast.AST], running: tuple[int, ...] = (), seen: set[int] | None = None) -> ast.Call | None:
    """The first call by name of a function within itself, in the statements or in what they call in the project."""
    seen = set() if seen is None else seen
    for call in (part for node in nodes for part in ast.walk(node) if isinstance(part, ast.Call)):
        for scope in (scope for option in v.options(facts.value(call.func)) for scope in bodies(option)):
            if id(scope.node) in running and call.keywords:
                return call
            if id(scope.node) in seen:
                continue
            seen.add(id(scope.node))
            if (found := calls_itself(scope.module.facts, body_of(scope), (*running, id(scope.node)), seen)) is not None:
                return found
    return None
