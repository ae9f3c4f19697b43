"""``n_actions = env.action_space.n`` becomes ``int(env.action_space.n)``: a NumPy integer since Gym 0.26.

PyTorch's layers and functions take it for a number; MindSpore's layers ask for Python's own ("must be int, but got int64").
"""

from __future__ import annotations

import ast
import re

from mindport.convert.context import Context, Files
from mindport.inference.facts import Use

_LIBRARIES = frozenset(("gym", "gymnasium"))
_SPACE = re.compile(r"(?:^|_)space$")


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the conversion of every size of a discrete space, in projects that import Gym and files that import torch."""
    if not uses or not context.once(_imports_gym):
        return
    for node in context.file.nodes:
        match node:
            case ast.Attribute(value=ast.Name(id=space) | ast.Attribute(attr=space), attr="n", ctx=ast.Load()) if _SPACE.search(space):
                if not _is_int_call(context.parents.get(id(node))):
                    context.plan(node, lambda n=node: _write(context, n), last=True)  # type: ignore[misc]


def _imports_gym(project: Files) -> bool:
    for node in (node for file, _ in project for node in file.nodes):
        names = [a.name for a in node.names] if isinstance(node, ast.Import) else [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        if any(name.split(".")[0] in _LIBRARIES for name in names):
            return True
    return False


def _is_int_call(node: ast.AST | None) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "int"


def _write(context: Context, node: ast.Attribute) -> None:
    editing = context.editing
    editing.replace(*editing.span(node), f"int({editing.current(*editing.span(node))})")
