"""``def extra_repr(self)``: what a module says of itself when it is printed is asked for as ``extend_repr`` by MindSpore's cells.

A method that goes through the ``__dict__`` of a layer keeps its name: MindSpore's cells do not hold all of torch's attributes there,
and a text is not worth an error.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from mindport.convert.context import MODULE, Context
from mindport.convert.rewrites.module_class import is_module_scope, is_super, joins_module, rename
from mindport.convert.scopes import class_around
from mindport.inference import values as v
from mindport.inference.facts import Use
from mindport.inference.scopes import ClassScope

THEIRS, OURS = "extra_repr", "extend_repr"


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Rename the methods of the file's module classes, and what asks modules of the project for them."""
    for cls in context.facts.ancestors:
        if joins_module(context, cls):
            for statement in cls.body:
                if isinstance(statement, ast.FunctionDef) and statement.name == THEIRS and _is_safe(statement, context.facts.ancestors[cls]):
                    rename(context, statement, THEIRS, OURS)
    for node in context.file.nodes:
        if isinstance(node, ast.Attribute) and node.attr == THEIRS and _is_renamed(context, node.value):
            end = context.editing.span(node)[1]
            context.editing.replace(end - len(THEIRS), end, OURS)


def _is_safe(method: ast.FunctionDef, ancestors: tuple[str, ...]) -> bool:
    """Whether its text does not hang on what a layer of torch keeps in its `__dict__`."""
    layers = [name for name in ancestors if name.startswith("torch.") and name != MODULE]
    return not layers or not any(isinstance(node, ast.Attribute) and node.attr == "__dict__" for node in ast.walk(method))


def _is_renamed(context: Context, owner: ast.expr) -> bool:
    """Whether the method that an object, or what stands above a class, has is one of the project's that was renamed; a layer's own is its equivalent's matter."""
    if is_super(owner):
        cls = class_around(context, owner)
        above = [option for base in (cls.bases if cls else []) for option in v.options(context.facts.value(base))]
        return any(_has_renamed(option.scope.mro) for option in above if isinstance(option, v.ProjectClass))
    return any(_has_renamed(option.cls.scope.mro) for option in v.options(context.facts.value(owner)) if isinstance(option, v.ProjectInstance))


def _has_renamed(classes: Sequence[ClassScope]) -> bool:
    """Whether the first of the classes that says it has it under MindSpore's name."""
    first = next((scope for scope in classes if THEIRS in scope.methods), None)
    if first is None or not is_module_scope(first):
        return False
    method = first.methods[THEIRS].node
    return isinstance(method, ast.FunctionDef) and _is_safe(method, first.ancestors)
