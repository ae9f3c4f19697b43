"""``str(layer)`` that is taken apart: ``str(m)[: str(m).find("(")]`` is how operations are counted by the kind of a layer.

With MindSpore's text the kinds would have other names. What is only printed keeps MindSpore's text.
"""

from __future__ import annotations

import ast

from mindport.convert.class_identity import may_be_layer
from mindport.convert.context import Context
from mindport.convert.rewrites.class_name import owner_of_class
from mindport.convert.scopes import scope_of
from mindport.inference.facts import Use

KNOWLEDGE, FUNCTION = "mindport.equivalents.module_text", "module_text"


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the vendored text for what may be a layer, where the text is looked into."""
    if KNOWLEDGE not in context.shared.catalog.modules:
        return
    for node in context.file.nodes:
        match node:
            case ast.Call(func=ast.Name(id="str" | "repr"), args=[owner], keywords=[]) | ast.Call(func=ast.Attribute(value=owner, attr="__str__" | "__repr__"), args=[], keywords=[]):
                if owner_of_class(owner) is None and _is_looked_into(context, node) and may_be_layer(context.facts, owner, scope_of(context, node)):
                    context.plan(node, lambda n=node, o=owner: _write(context, n, o))  # type: ignore[misc]


def _is_looked_into(context: Context, node: ast.Call) -> bool:
    """Whether a part of the text is asked for: at once, or of the name that it gets."""
    parent = context.parents.get(id(node))
    if isinstance(parent, ast.Assign) and len(parent.targets) == 1 and isinstance(parent.targets[0], ast.Name):
        name = parent.targets[0].id
        return any(isinstance(part, ast.Name) and part.id == name and isinstance(part.ctx, ast.Load) and _asks(context, part) for part in ast.walk(scope_of(context, node)))
    return _asks(context, node)


def _asks(context: Context, text: ast.expr) -> bool:
    parent = context.parents.get(id(text))
    return (isinstance(parent, ast.Attribute | ast.Subscript) and parent.value is text) or isinstance(parent, ast.Compare)


def _write(context: Context, node: ast.Call, owner: ast.expr) -> None:
    text = context.editing.current(*context.editing.span(owner))
    context.editing.replace(*context.editing.span(node), f"{context.definition(KNOWLEDGE, FUNCTION)}({text})")
