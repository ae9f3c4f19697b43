"""What ``ms.jit`` cannot compile of Python: a linter over everything that a network's forward pass reaches.

The rules were measured against MindSpore 2.10.0's compiler (jit, capture_mode="ast"); tests/analysis/test_graph_syntax.py
compiles an example of every rule, and of what only looks like one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

#: Rule → (sentence, what to write instead).
RULES: dict[str, tuple[str, str]] = {
    "try": ("a try statement cannot be compiled", "test the condition with if, or catch the error outside of construct"),
    "import": ("an import inside the function cannot be compiled", "import at the top of the file"),
    "walrus": ("an assignment expression := cannot be compiled", "assign in a statement of its own"),
    "while else": ("while … else cannot be compiled", "set a flag in the loop and test it after"),
    "set": ("a set literal cannot be compiled", "use a tuple"),
    "del": ("del cannot be compiled", "leave the name, or assign None"),
    "match": ("match cannot be compiled", "write if and elif"),
    "with": ("a with statement over this context cannot be compiled", "enter the context outside of construct"),
    "async": ("async code cannot be compiled", "call it outside of construct"),
    "self": ("the first parameter of construct has to be called self", "rename it to self"),
}


@dataclass(frozen=True)
class Stop:
    """A place that graph mode stops at."""

    rule: str
    node: ast.AST


def stops(function: ast.FunctionDef | ast.AsyncFunctionDef, is_method: bool = False) -> Iterator[Stop]:
    """Every place of a function that stops the compiler; functions inside it are part of it."""
    if is_method and function.args.args and function.args.args[0].arg != "self" and not _static(function):
        yield Stop("self", function)
    for node in _reached(function):
        rule = _rule(node)
        if rule is not None:
            yield Stop(rule, node)


def _static(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any(isinstance(d, ast.Name) and d.id in ("staticmethod", "classmethod") for d in function.decorator_list)


def _rule(node: ast.AST) -> str | None:
    match node:
        case ast.Try():
            return "try"
        case ast.Import() | ast.ImportFrom():
            return "import"
        case ast.NamedExpr():
            return "walrus"
        case ast.While(orelse=[_, *_]):
            return "while else"
        case ast.Set():
            return "set"
        case ast.Delete():
            return "del"
        case ast.Match():
            return "match"
        case ast.With():
            return "with"
        case ast.AsyncFor() | ast.AsyncWith() | ast.Await() | ast.AsyncFunctionDef():
            return "async"
    return None


def _reached(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes that run: what a test on a constant or on scripting excludes does not."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.arguments):
            continue
        yield child
        yield from _reached(child)
