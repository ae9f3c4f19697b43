"""Functions that give one of their arguments on, ``default(value, otherwise)``: each caller gets its own, not what any other one passed."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from mindport.analysis.dynamic_shape.abstract import Abstract, join
from mindport.source.walking import walk

if TYPE_CHECKING:
    from mindport.analysis.dynamic_shape.engine import Routine
    from mindport.analysis.dynamic_shape.statements import Frame


def handed_on(frame: Frame, routine: Routine, node: ast.Call | None, passed: dict[str, tuple[Abstract, ast.expr | None]]) -> Abstract | None:
    """What a function gives that returns nothing but its parameters, or what these give when they are called; None for any other."""
    from mindport.analysis.dynamic_shape.expressions import evaluate

    if node is None or isinstance(routine.node, ast.Module) or frame.routine is routine:
        return None
    if routine.gives_on is None:
        routine.gives_on = tuple(_returned(routine.node))
    names = routine.gives_on
    if not names or any(name not in passed for name, _ in names):
        return None
    found = []
    for name, called in names:
        value, written = passed[name]
        if called and not isinstance(written, ast.Lambda):
            continue  # a value that is no function is given on as it is
        found.append(evaluate(frame, written.body) if called and isinstance(written, ast.Lambda) else value)
    return join(*found) if found else None


def _returned(node: ast.AST) -> Iterator[tuple[str, bool]]:
    """The parameters that a function returns, and whether it calls them; nothing where it returns something else, or sets one anew."""
    arguments = node.args  # type: ignore[attr-defined]
    parameters = {a.arg for a in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]}
    inner = walk(node)
    if any(isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store) or isinstance(n, (ast.Yield, ast.YieldFrom, ast.FunctionDef, ast.Lambda)) and n is not node for n in inner):
        return
    returns = [node.body] if isinstance(node, ast.Lambda) else [n.value for n in inner if isinstance(n, ast.Return)]
    parts = [part for value in returns for part in _ways(value)]
    if not parts or not all(_parameter(part) in parameters for part in parts):
        return
    for part in parts:
        yield _parameter(part), isinstance(part, ast.Call)


def _ways(node: ast.expr | None) -> Iterator[ast.expr | None]:
    if isinstance(node, ast.IfExp):
        yield from _ways(node.body)
        yield from _ways(node.orelse)
    else:
        yield node


def _parameter(node: ast.expr | None) -> str:
    if isinstance(node, ast.Call) and not node.args and not node.keywords:
        node = node.func
    return node.id if isinstance(node, ast.Name) else ""
