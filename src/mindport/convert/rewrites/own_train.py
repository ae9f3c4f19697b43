"""``def train(self, mode=True)`` of a module is MindSpore's ``def set_train(self, mode=True)``.

MindSpore sets the flag of all cells inside without asking them; the vendored module has `set_train` ask each child, as torch's `train` does.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.convert.own_modes import TRAIN, own_modes
from mindport.convert.rewrites.module_class import rename
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
        elif isinstance(node, ast.Attribute) and node.attr == TRAIN and any(_is_one(kind, methods) for kind in v.options(context.facts.value(node))):
            end = context.editing.span(node)[1]
            context.editing.replace(end - len(TRAIN), end, SET_TRAIN)


def _is_one(kind: v.Value, methods: frozenset[int]) -> bool:
    function = kind.function if isinstance(kind, v.Bound) else kind
    return isinstance(function, v.ProjectFunction) and id(function.scope.node) in methods
