"""What a function reads besides its arguments and may find changed at its next call: a graph that is kept has what it was compiled with."""

from __future__ import annotations

import ast

from mindport.convert.context import Context, Files
from mindport.convert.training.names import FUNCTIONS, key, names, own_nodes, parameters, root
from mindport.convert.training.run_once import run_once
from mindport.convert.training.second_order import bodies
from mindport.inference import values as v
from mindport.inference.facts import Facts


def reads_state(context: Context, function: ast.expr) -> bool:
    """Whether the functions that an expression names, or what they call in the project, read what changes."""
    changing, seen = context.once(_changing), set[int]()
    return any(_reads(facts, node, changing, seen) for facts, node in _named(context, function))


def draws(context: Context, function: ast.expr) -> bool:
    """Whether they draw by NumPy or Python, or go on with iterators."""
    return any(run_once(facts, [node]) is not None for facts, node in _named(context, function))


def _named(context: Context, function: ast.expr) -> list[tuple[Facts, ast.AST]]:
    """The functions and lambdas in an expression, each with the facts of its file."""
    found: list[tuple[Facts, ast.AST]] = [(context.facts, part) for part in ast.walk(function) if isinstance(part, ast.Lambda)]
    for part in ast.walk(function):
        if isinstance(part, (ast.Name, ast.Attribute)):
            found += [(scope.module.facts, scope.node) for option in v.options(context.facts.value(part)) for scope in bodies(option)]
    return found


def _reads(facts: Facts, function: ast.AST, changing: frozenset[str], seen: set[int]) -> bool:
    if id(function) in seen:
        return False
    seen.add(id(function))
    own = set(parameters(function)) | set(names(function.body).stores) if isinstance(function, FUNCTIONS) else set()
    for part in ast.walk(function):
        first = root(part)
        outside = not isinstance(first, ast.Name) or first.id not in own - {"self", "cls"}
        match part:
            case ast.Attribute(attr=name, ctx=ast.Load()) if outside and f".{name}" in changing:
                return True
            case ast.Name(id=name, ctx=ast.Load()) if name not in own and name in changing:
                return True
            case ast.Call() if any(_reads(scope.module.facts, scope.node, changing, seen) for option in v.options(facts.value(part.func)) for scope in bodies(option)):
                return True
    return False


def _changing(project: Files) -> frozenset[str]:
    """Names that a project binds several times or in loops, or whose contents it changes; attributes (``.scale``) that it sets outside of constructors."""
    found: set[str] = set()
    for file, _ in project:
        for scope in (file.tree, *(node for node in file.nodes if isinstance(node, FUNCTIONS))):
            is_constructor = isinstance(scope, ast.FunctionDef) and scope.name in ("__init__", "setup", "build")
            found |= _bound_again(scope)
            for part in own_nodes(scope):
                if isinstance(part, ast.Attribute) and not isinstance(part.ctx, ast.Load) and not is_constructor:
                    found.add(f".{part.attr}")
                elif isinstance(part, ast.Subscript) and not isinstance(part.ctx, ast.Load) and (name := key(part.value)) is not None:
                    found.add(name if "." not in name else f".{name.rpartition('.')[2]}")
                elif isinstance(part, (ast.Global, ast.Nonlocal)):
                    found |= set(part.names)
    return frozenset(found)


def _bound_again(scope: ast.AST) -> set[str]:
    """Names that a scope binds twice, or in a loop, or adds to."""
    once, again = set[str](), set[str]()
    for part in own_nodes(scope):
        if isinstance(part, (ast.For, ast.While)):
            again |= set(names(part).stores)
        elif isinstance(part, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            stores = set(names(part).stores)
            again |= stores & once if not isinstance(part, ast.AugAssign) else stores
            once |= stores
    return again
