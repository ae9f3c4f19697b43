"""A torch module is born in training mode, a MindSpore cell in evaluation mode.

Where the project constructs one of its own modules outside of a module's methods, the
construction gets ``.set_train()``, which reaches all cells inside: ``Net()`` → ``Net().set_train()``.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.inference import values as v
from mindport.inference.facts import Use

MODULE = "torch.nn.Module"


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan ``.set_train()`` on constructions of project modules in functions and at module level."""
    for node in ast.walk(context.file.tree):
        if isinstance(node, ast.Call) and _constructs_module(context, node) and not _inside_module(context, node):
            context.plan(node, lambda n=node: _set_train(context, n))  # type: ignore[misc]


def _constructs_module(context: Context, node: ast.Call) -> bool:
    value = context.facts.value(node.func)
    return isinstance(value, v.ProjectClass) and MODULE in getattr(value.scope, "ancestors", ())


def _inside_module(context: Context, node: ast.AST) -> bool:
    """Whether the outermost construction around `node` is made elsewhere: it sets the mode of all inside."""
    current = context.parents.get(id(node))
    while current is not None:
        if isinstance(current, ast.ClassDef) and MODULE in context.facts.ancestors.get(current, ()):
            return True
        if isinstance(current, ast.Call) and _constructs_module(context, current):
            return True
        current = context.parents.get(id(current))
    return False


def _set_train(context: Context, node: ast.Call) -> None:
    start, end = context.editing.span(node)
    parent = context.parents.get(id(node))
    if isinstance(parent, ast.Attribute) and parent.attr in ("set_train", "train", "eval"):
        return  # the next call sets the mode anyway
    context.editing.replace(start, end, context.editing.current(start, end) + ".set_train()")
