"""Whether a program may go on after an error in a forward pass.

MindSpore can differentiate nothing more after an error inside a function that it differentiates; our own function, of the
general form, clears up. So the tidy form is for steps whose errors end the program: not in a notebook, not below a handler.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from mindport.convert.context import Context
from mindport.convert.training.names import FUNCTIONS, own_nodes


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
    trees = [file.tree for file, _ in context.shared.project or ((context.file, context.facts),)]
    reaching = _reaching(trees, scope.name)
    return any(_handles(n) and _called(n.body) & reaching for tree in trees for n in ast.walk(tree))  # type: ignore[attr-defined]


def _handles(node: ast.AST) -> bool:
    match node:
        case ast.Try(handlers=[_, *_]):
            return True
        case ast.With(items=items):
            return any(isinstance(i.context_expr, ast.Call) and _name(i.context_expr.func) == "suppress" for i in items)
    return False


def _reaching(trees: list[ast.Module], name: str) -> set[str]:
    """Names of the functions that may call one of this name, directly or through others."""
    calls = [(f.name, _called(own_nodes(f))) for tree in trees for f in ast.walk(tree) if isinstance(f, (ast.FunctionDef, ast.AsyncFunctionDef))]
    found = {name}
    while more := {caller for caller, called in calls if called & found} - found:
        found |= more
    return found


def _called(nodes: Iterable[ast.AST]) -> set[str]:
    """Names that are called, or handed on and may be, anywhere in the nodes."""
    return {_name(n) for node in nodes for n in ast.walk(node) if isinstance(n, (ast.Name, ast.Attribute)) and isinstance(n.ctx, ast.Load)}


def _name(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
