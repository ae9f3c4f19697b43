"""What the project's calls of a function give it: a gradient may come in by an argument."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from mindport.convert.context import Files, parents_of
from mindport.convert.training.carrying import Carrying
from mindport.convert.training.names import (
    FUNCTIONS,
    changed_parts,
    key,
    names,
    own_nodes,
    parameters,
    read_parts,
)
from mindport.inference import values as v
from mindport.inference.facts import Facts
from mindport.source.called import last_name
from mindport.source.file import SourceFile

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Given:
    """An argument that may carry a gradient."""

    path: str
    line: int
    text: str


def carrying_argument(project: Files, function: Function, name: str) -> Given | None:
    """An argument for the parameter `name`, anywhere in the project, that may carry a gradient."""
    for file, facts, call, given, scopes in _arguments(project, function, name):
        if any(scope is function for scope in scopes):
            continue  # it calls itself with what it got
        if Carrying(facts, scopes, file.tree).carries(given, {}):
            return Given(str(file.relative), file.span(call).line, file.segment(given))
    return None


def arguments_of(project: Files, function: Function, name: str) -> Iterator[tuple[ast.expr, ast.AST]]:
    """What the project's calls give for a parameter, each with the function that the call stands in."""
    for *_, given, scopes in _arguments(project, function, name):
        yield given, scopes[0]


def arguments_around(project: Files, function: Function, name: str) -> Iterator[tuple[ast.expr, list[ast.AST]]]:
    """The same, each with all the functions around the call and the module."""
    for *_, given, scopes in _arguments(project, function, name):
        yield given, scopes


def _arguments(project: Files, function: Function, name: str) -> Iterator[tuple[SourceFile, Facts, ast.Call, ast.expr, list[ast.AST]]]:
    for file, facts in project:
        for call in calls_of(file).get(function.name, ()):
            bound = meant(facts, call, function)
            given = None if bound is None else argument_for(call, function, name, bound)
            if given is not None:
                yield file, facts, call, given, scopes_in(file, call)


def computed_by_caller(project: Files, function: Function, name: str, source: str) -> bool:
    """Whether a call of the function gives something for `name` that it computes from what it gives for `source`."""
    for file, facts in project:
        for call in calls_of(file).get(function.name, ()):
            if (bound := meant(facts, call, function)) is None:
                continue
            given, start = argument_for(call, function, name, bound), argument_for(call, function, source, bound)
            if given is not None and start is not None and (origin := key(start)) is not None and _is_computed_from(given, origin, scopes_in(file, call)[0]):
                return True
    return False


def _is_computed_from(given: ast.expr, origin: str, scope: ast.AST) -> bool:
    """Whether an expression reads a name (``self.x``, too), by itself or by what the function binds with it."""
    depending, before = {origin}, set[str]()
    bindings = [n for n in own_nodes(scope) if isinstance(n, (ast.Assign, ast.AnnAssign, ast.AugAssign)) and n.value is not None]
    while depending != before:
        before = set(depending)
        for node in bindings:
            if node.value is not None and read_parts([node.value], depending):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                depending |= set(names(targets).stores) | changed_parts(targets)
    return bool(read_parts([given], depending))


@lru_cache(maxsize=4096)
def calls_of(file: SourceFile) -> dict[str, list[ast.Call]]:
    """The calls of a file by the last part of what is called."""
    found: dict[str, list[ast.Call]] = {}
    for node in file.nodes:
        if isinstance(node, ast.Call):
            name = last_name(node.func)
            found.setdefault(name, []).append(node)
    return found


@lru_cache(maxsize=4096)
def parents_in(file: SourceFile) -> dict[int, ast.AST]:
    """Parents of a file's nodes by id(node)."""
    return parents_of(file.tree)


def scopes_in(file: SourceFile, node: ast.AST) -> list[ast.AST]:
    """The functions around a node, innermost first, and the module."""
    parents, found = parents_in(file), []
    current = parents.get(id(node))
    while current is not None:
        if isinstance(current, FUNCTIONS):
            found.append(current)
        current = parents.get(id(current))
    return [*found, file.tree]


def meant(facts: Facts, call: ast.Call, function: ast.AST) -> bool | None:
    """Whether a call of this function passes its first parameter itself (True: bound to an object); None: another function."""
    for option in v.options(facts.value(call.func)):
        match option:
            case v.ProjectFunction(scope=scope) if scope.node is function:
                return False
            case v.Bound(function=v.ProjectFunction(scope=scope)) if scope.node is function:
                return True
    unknown = all(isinstance(option, v.Unknown) for option in v.options(facts.value(call.func)))
    return True if unknown and isinstance(call.func, ast.Attribute) else None


def argument_for(call: ast.Call, function: Function, name: str, bound: bool) -> ast.expr | None:
    """What a call gives for a parameter, by keyword or place; None where it does not show."""
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value
    names = parameters(function)[1 if bound else 0 :]
    if any(isinstance(argument, ast.Starred) for argument in call.args):
        return None
    place = names.index(name) if name in names else len(call.args)
    return call.args[place] if place < len(call.args) else None
