"""Whether a program may go on after an error in a forward pass.

MindSpore can differentiate nothing more after an error inside a function that it differentiates; our own function, of the
general form, clears up. So the tidy form is for steps whose errors end the program: not in a notebook, not below a handler.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from mindport.convert.context import Context, Files
from mindport.convert.training.names import FUNCTIONS


def errors_are_caught(context: Context, place: ast.AST, scope: ast.AST) -> bool:
    """Whether an error at `place`, a statement of `scope`, may be handled: there, or by any caller as far as names tell."""
    if context.file.cells:
        return True  # the next cell goes on
    current = context.parents.get(id(place))
    while current is not None and not isinstance(current, FUNCTIONS):
        if _handles(current):
            return True
        current = context.parents.get(id(current))
    if not isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return False
    calls, handled = context.once(_calls)
    return bool(handled & _reaching(calls, scope.name))


def _handles(node: ast.AST) -> bool:
    match node:
        case ast.Try(handlers=[_, *_]):
            return True
        case ast.With(items=items):
            return any(isinstance(i.context_expr, ast.Call) and _name(i.context_expr.func) == "suppress" for i in items)
    return False


def _calls(project: Files) -> tuple[list[tuple[str, set[str]]], set[str]]:
    """The names that each function may call, and those that may be called where errors are handled."""
    nodes = [node for file, _ in project for node in file.nodes]
    calls = [(f.name, _called([f])) for f in nodes if isinstance(f, (ast.FunctionDef, ast.AsyncFunctionDef))]
    return calls, set().union(*(_called(n.body) for n in nodes if _handles(n)))  # type: ignore[attr-defined]


def _reaching(calls: list[tuple[str, set[str]]], name: str) -> set[str]:
    """Names of the functions that may call one of this name, directly or through others."""
    found = {name}
    while more := {caller for caller, called in calls if called & found} - found:
        found |= more
    return found


def _called(nodes: Iterable[ast.AST]) -> set[str]:
    """Names that are called, or handed on and may be, anywhere in the nodes."""
    return {_name(n) for node in nodes for n in ast.walk(node) if isinstance(n, (ast.Name, ast.Attribute)) and isinstance(n.ctx, ast.Load)}


def _name(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
