"""Decorators whose equivalent returns the function as it is: they disappear.

Named (``@torch.compile``) and with settings (``@torch.compile(dynamic=True)``, ``@torch.jit.ignore()``), which torch
takes where the function itself is left out.
"""

from __future__ import annotations

import ast

from mindport.catalog import Entry
from mindport.convert.bind import Binding, Unbound, bind
from mindport.convert.context import Context
from mindport.convert.effects import effect
from mindport.convert.printing import marks
from mindport.convert.specialise import PREFIX, Expression, specialise
from mindport.inference.facts import Use


def identity(context: Context, use: Use) -> tuple[Entry, Binding] | None:
    """The entry that gives the decorated function back, with what it is called with; None for any other decorator."""
    for entry in context.shared.catalog.find(use.name):
        arguments = entry.arguments
        if arguments is None or not (parameters := [*arguments.posonlyargs, *arguments.args]):
            continue
        first = parameters[0].arg
        settings: list[ast.keyword] = []
        if isinstance(use.node, ast.Call):
            settings = use.node.keywords
            given = {keyword.arg for keyword in settings}
            # A decorator that takes a first argument of its own makes what decorates; settings in order have no names.
            if use.node.args or first in given or any(effect(k.value) == "effect" for k in settings):
                continue
        binding = bind(arguments, [ast.Name("decorated", ast.Load())], settings)
        if isinstance(binding, Unbound):
            continue
        outcome = specialise(entry, binding, context.look)
        if isinstance(outcome, Expression) and marks(outcome.node) == [PREFIX + first] and isinstance(outcome.node, ast.Name):
            return entry, binding
    return None


def remove(context: Context, use: Use) -> None:
    """Take the decorator's line out."""
    start, end = context.editing.span(use.node)
    at = context.editing.text.rindex("@", 0, start)
    context.editing.replace(context.editing.line_start(at), context.editing.line_end(end), "")
