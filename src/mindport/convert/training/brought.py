"""Parameters that bring a function what its caller computed from the inputs of a gradient: ``(y * x).sum()`` of ``y = net(x)``.

What the output owes to them would be left out of the derivative, without an error.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Container, Iterable

from mindport.convert.context import Files
from mindport.convert.training.callers import computed_by_caller
from mindport.convert.training.names import own_nodes, parameters


def beside(files: Files, scope: ast.AST, sources: tuple[str, ...], reaching: Callable[[str], list[ast.AST]], handed: Container[int]) -> list[str]:
    """The parameters that stand beside the inputs in what the output is computed from, and that a caller computes from the input.

    `reaching`: what leads from a name to the output; `handed`: calls that take their gradients of a function that they are handed.
    """
    if not isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return []
    own = [source for source in sources if source in parameters(scope) and not _is_bound(scope, source)]
    others = [name for name in parameters(scope) if own and name not in sources]
    return [name for name in others if is_read(name, reaching(name), handed) and any(computed_by_caller(files, scope, name, source) for source in own)]


def is_read(name: str, nodes: Iterable[ast.AST], handed: Container[int] = ()) -> bool:
    """Whether a name is read but in indices (``y[:, i : i + 1]``) and in calls that are handed functions."""
    pending = list(nodes)
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load):
            return True
        if isinstance(node, ast.Subscript):
            pending.append(node.value)
        elif id(node) not in handed:
            pending += ast.iter_child_nodes(node)
    return False


def _is_bound(scope: ast.AST, name: str) -> bool:
    return any(isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store) for node in own_nodes(scope))
