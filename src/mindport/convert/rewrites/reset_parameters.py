"""``layer.reset_parameters()`` and ``reset_running_stats()``: MindSpore's layers get the method where a project asks for it, so that the text stays.

``if hasattr(layer, "reset_parameters")`` would be false for every layer, silently, and a layer's construction would not end with the method of a project's
class that derives from it.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.inference import torchfacts
from mindport.inference import values as v
from mindport.inference.facts import Use

KNOWLEDGE = "mindport.layers.reset_parameters"
SETTING = "LAYERS_CAN_BE_RESET"
METHODS = ("reset_parameters", "reset_running_stats")


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Claim the calls on layers, and have the vendored module teach MindSpore's classes."""
    asked = any(_asks(context, node) for node in context.file.nodes)
    for same_place in uses.values():
        if same_place[0].name.rpartition(".")[2] in METHODS:
            use = same_place[0]
            text = context.file.segment(use.node)
            context.claimed.add(id(use.node))
            context.record(use, "same", text, text)
    if asked and KNOWLEDGE in context.shared.catalog.modules:
        context.runs(context.shared.catalog.modules[KNOWLEDGE], SETTING)


def _asks(context: Context, node: ast.AST) -> bool:
    """Whether the method of something that may be a library's layer is named, or a class that derives from one has its own."""
    match node:
        case ast.Attribute(attr=name, ctx=ast.Load()) if name in METHODS:
            return not _is_own(context, node)
        case ast.Constant(value=text):
            return bool(text in METHODS)
        case ast.ClassDef(body=body):
            above = {*context.facts.ancestors.get(node, ()), *context.facts.mixed_into.get(node, ())}
            return any(isinstance(method, ast.FunctionDef) and method.name in METHODS and any(torchfacts.member(cls, method.name) for cls in above) for method in body)
    return False


def _is_own(context: Context, node: ast.Attribute) -> bool:
    """Whether the project's own method is meant."""
    options = v.options(context.facts.value(node))
    return all(isinstance(o, v.ProjectFunction) or (isinstance(o, v.Bound) and isinstance(o.function, v.ProjectFunction)) for o in options)
