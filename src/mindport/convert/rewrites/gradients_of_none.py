"""``g = p.grad.data`` where p has no gradient, in a project that catches AttributeError: None has no ``data``, and a handler may live on it.

``ops.stop_gradient(None)`` is None: the method that was left by an error would go on. A method that is called of ``p.grad.data`` raises by itself.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context, Files
from mindport.convert.rewrites.needless_detach import CUTTING
from mindport.inference.facts import Use

GIVEN, NAME = "mindport.equivalents.given_gradients", "given"


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Have every such gradient looked at."""
    if not context.once(_catches):
        return
    for same_place in uses.values():
        use = same_place[0]
        if use.name not in CUTTING or id(use.node) in context.claimed or isinstance(context.parents.get(id(use.node)), ast.Attribute):
            continue
        match use.node:
            case ast.Attribute(value=ast.Attribute(attr="grad") as gradient, ctx=ast.Load()) | ast.Call(func=ast.Attribute(value=ast.Attribute(attr="grad") as gradient)):
                context.plan(gradient, lambda g=gradient: _look_at(context, g), last=True)  # type: ignore[misc]


def _look_at(context: Context, gradient: ast.Attribute) -> None:
    name = context.definition(GIVEN, NAME)
    start, end = context.editing.span(gradient)
    context.editing.replace(start, end, f"{name}({context.editing.current(start, end)})")


def _catches(project: Files) -> bool:
    """Whether a handler of the project names AttributeError and does not end in raising."""
    handlers = (node for file, _ in project for node in file.nodes if isinstance(node, ast.ExceptHandler) and node.type is not None and not isinstance(node.body[-1], ast.Raise))
    return any(isinstance(part, ast.Name) and part.id == "AttributeError" for handler in handlers if handler.type is not None for part in ast.walk(handler.type))
