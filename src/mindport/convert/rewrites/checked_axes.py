"""``self._check_input_dim(x)`` in a class that derives from a batch normalisation: MindSpore's method of that name takes a shape and a name.

A project that defines the method itself is left alone.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context, Files
from mindport.inference.facts import Use

_METHOD = "_check_input_dim"
_LAYERS = frozenset(f"torch.nn.BatchNorm{axes}d" for axes in (1, 2, 3))


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan MindSpore's arguments for every such call."""
    for node in context.file.nodes:
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=receiver), attr=name), args=[argument], keywords=[]) if name == _METHOD and not isinstance(argument, ast.Starred):
                if _is_own(context, node, receiver) and not context.once(_defines_it):
                    context.plan(node, lambda n=node, r=receiver, a=argument: _write(context, n, r, a), last=True)  # type: ignore[misc]


def _is_own(context: Context, node: ast.Call, receiver: str) -> bool:
    """Whether a method of a class that derives from such a layer calls it on its own object."""
    method, above = None, context.parents.get(id(node))
    while above is not None and not isinstance(above, ast.ClassDef):
        method = above if isinstance(above, ast.FunctionDef) else method
        above = context.parents.get(id(above))
    if not isinstance(above, ast.ClassDef) or method is None or not method.args.args or method.args.args[0].arg != receiver:
        return False
    return bool(_LAYERS & set(context.facts.ancestors.get(above, ())))


def _defines_it(project: Files) -> bool:
    return any(isinstance(node, ast.FunctionDef) and node.name == _METHOD for file, _ in project for node in file.nodes)


def _write(context: Context, node: ast.Call, receiver: str, argument: ast.expr) -> None:
    start, end = context.editing.span(argument)
    text = context.editing.current(start, end)
    text = text if isinstance(argument, (ast.Name, ast.Attribute, ast.Subscript, ast.Call)) else f"({text})"
    context.editing.replace(start, end, f"{text}.shape, {receiver}.cls_name")
