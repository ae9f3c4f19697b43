"""``self.encoder.fc = nn.Linear(…)``: a module that takes another's place deep in a model gets its place's name.

MindSpore names a cell's parameters when the cell joins its parent, ``fc.weight`` here; parameters of equal names
overwrite each other in checkpoints and optimizers. The model names its parameters anew.
"""

from __future__ import annotations

import ast

from mindport.convert.context import MODULE, Context
from mindport.convert.instances import is_instance_of
from mindport.inference import values as v
from mindport.inference.facts import Use


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan ``self.update_parameters_name()`` after modules are assigned to a part of a model."""
    for statement in context.file.nodes:
        if not isinstance(statement, ast.Assign) or len(statement.targets) != 1 or not is_module(context, statement.value):
            continue
        target = statement.targets[0]
        if isinstance(target, (ast.Attribute, ast.Subscript)) and isinstance(target.value, (ast.Attribute, ast.Subscript)):
            root: ast.expr = target
            while isinstance(root, (ast.Attribute, ast.Subscript)):
                root = root.value
            if isinstance(root, ast.Name) and is_module(context, root) and is_module(context, target.value):
                context.plan(statement, lambda s=statement, n=root.id: _rename(context, s, n), last=True)  # type: ignore[misc]


def is_module(context: Context, node: ast.expr) -> bool:
    """Whether all that an expression can be is a module."""
    options = [option for option in v.options(context.facts.value(node)) if option != v.NONE]
    return bool(options) and all(is_instance_of(option, {MODULE}) for option in options)


def _rename(context: Context, statement: ast.Assign, root: str) -> None:
    start, end = context.editing.span(statement)
    text = f"{context.editing.current(start, end)}\n{context.editing.indent(start)}{root}.update_parameters_name()"
    context.editing.replace(start, end, text)
