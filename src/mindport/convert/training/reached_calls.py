"""The calls that statements make, and what they call in the project."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from mindport.convert.training.second_order import bodies, body_of
from mindport.inference import values as v
from mindport.inference.facts import Facts
from mindport.inference.scopes import FunctionScope


def run_by(value: v.Value) -> list[FunctionScope]:
    """The project functions that a call of the value runs, of what is made of functions, too."""
    match value:
        case v.Transformed(function=function) | v.Partial(function=function):
            return [scope for option in v.options(function) for scope in run_by(option)]
    return bodies(value)


def calls(facts: Facts, nodes: Iterable[ast.AST], seen: set[int]) -> Iterator[tuple[Facts, ast.Call]]:
    """The calls in statements, and in what these call in the project, each with its file's facts."""
    for part in (part for node in nodes for part in ast.walk(node)):
        if not isinstance(part, ast.Call):
            continue
        yield facts, part
        for scope in (scope for option in v.options(facts.value(part.func)) for scope in run_by(option)):
            if id(scope.node) not in seen:
                seen.add(id(scope.node))
                yield from calls(scope.module.facts, body_of(scope), seen)
