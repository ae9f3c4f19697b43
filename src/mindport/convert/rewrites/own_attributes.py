"""``def __getattr__(self, name)`` and ``__setattr__`` of a module get a decorator that keeps MindSpore's own questions from them."""

from __future__ import annotations

import ast

from mindport.convert.context import MODULE, Context
from mindport.inference.facts import Use

KNOWLEDGE, DECORATOR = "mindport.layers.asked_by_mindspore", "past_mindspore"
METHODS = frozenset(("__getattr__", "__setattr__", "__delattr__"))


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the decorator above every such method of a module class."""
    for cls, above in context.facts.ancestors.items():
        for method in cls.body if MODULE in above or MODULE in context.facts.mixed_into.get(cls, ()) else ():
            if isinstance(method, ast.FunctionDef) and method.name in METHODS:
                context.plan(method, lambda m=method: _decorate(context, m), last=True)  # type: ignore[misc]


def _decorate(context: Context, method: ast.FunctionDef) -> None:
    start = context.editing.span(method)[0]
    context.editing.insert(start, f"@{context.definition(KNOWLEDGE, DECORATOR)}\n{context.editing.indent(start)}")
