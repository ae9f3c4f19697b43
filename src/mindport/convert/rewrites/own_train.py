"""``def train(self, mode=True)`` of a module is MindSpore's ``def set_train(self, mode=True)``.

MindSpore sets the flag of all cells inside without asking them; the vendored module has `set_train` ask each child, as torch's `train` does.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.convert.own_modes import TRAIN, own_modes
from mindport.convert.rewrites.module_class import rename
from mindport.convert.scopes import scope_of
from mindport.inference import values as v
from mindport.inference.facts import Use

KNOWLEDGE, SETTING = "mindport.layers.asked_children", "CHILDREN_ASKED"
SET_TRAIN = "set_train"


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the renaming of the methods, and of what names them."""
    methods = context.once(own_modes)
    for node in context.file.nodes if methods else ():
        if isinstance(node, ast.FunctionDef) and id(node) in methods:
            rename(context, node, TRAIN, SET_TRAIN)
            context.runs(context.shared.catalog.modules[KNOWLEDGE], SETTING)
        elif isinstance(node, ast.Attribute) and node.attr == TRAIN and (_of_what_is_joined(context, node, methods) or any(_is_one(kind, methods) for kind in v.options(context.facts.value(node)))):
            end = context.editing.span(node)[1]
            context.editing.replace(end - len(TRAIN), end, SET_TRAIN)


def _is_one(kind: v.Value, methods: frozenset[int]) -> bool:
    function = kind.function if isinstance(kind, v.Bound) else kind
    return isinstance(function, v.ProjectFunction) and id(function.scope.node) in methods


def _of_what_is_joined(context: Context, node: ast.Attribute, methods: frozenset[int]) -> bool:
    """Whether it is ``super().train`` in such a method of a class that is joined with a module: what stands above it is not known there."""
    method = scope_of(context, node)
    cls = context.parents.get(id(method))
    is_super = isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Name) and node.value.func.id == "super"
    return is_super and id(method) in methods and isinstance(cls, ast.ClassDef) and cls in context.facts.mixed_into
