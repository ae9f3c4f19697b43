"""Calls that take a gradient which is differentiated again: the library's, and those of the project's functions that are handed what they differentiate."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.convert.training.names import FUNCTIONS, names, parameters
from mindport.convert.training.second_order import (
    bodies,
    given_to_gradient,
    is_gradient_call,
    keeps_graph,
)
from mindport.inference import values as v
from mindport.inference.facts import Facts
from mindport.source.file import SourceFile
from mindport.source.walking import walk

#: What the text of each such call has.
KEEPING = "create_graph"


def written_otherwise(file: SourceFile) -> bool:
    """Whether a file may be written otherwise: notebooks stay, whose cells are lines."""
    return not file.cells


def derivatives(file: SourceFile, facts: Facts) -> Iterator[ast.Call]:
    """The calls in a file."""
    return (node for node in file.nodes if isinstance(node, ast.Call) and takes(facts, node))


def takes(facts: Facts, call: ast.Call) -> bool:
    """Whether a call takes such a gradient, by itself or by a function that is handed the output."""
    if is_gradient_call(facts, call):
        return keeps_graph(call)
    return any(KEEPING in scope.module.file.text and _is_handed(scope.module.facts, scope.node) for option in v.options(facts.value(call.func)) for scope in bodies(option))


def outputs(facts: Facts, call: ast.Call) -> list[ast.expr]:
    """What a call differentiates: of a project's function all that it is handed."""
    if is_gradient_call(facts, call):
        output = given_to_gradient(call).get("outputs")
        return [output] if output is not None else []
    return [*call.args, *(keyword.value for keyword in call.keywords)]


def _is_handed(facts: Facts, function: ast.AST) -> bool:
    """Whether a function differentiates what it is handed, by what it is handed."""
    if not isinstance(function, FUNCTIONS):
        return False
    body = function.body if isinstance(function.body, list) else [function.body]
    free = set(parameters(function)) - (set(names(body).stores) if isinstance(function.body, list) else set())
    for part in (part for node in body for part in walk(node)):
        if isinstance(part, ast.Call) and is_gradient_call(facts, part) and keeps_graph(part):
            output = given_to_gradient(part).get("outputs")
            read = {n.id for n in walk(output) if isinstance(n, ast.Name)} if output is not None else set()
            if read & free:
                return True
    return False
