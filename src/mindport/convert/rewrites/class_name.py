"""``m.__class__.__name__``, ``type(m).__name__`` and ``m._get_name()`` where m may be a layer: MindSpore's classes have other names.

Weights are often initialised by class name (``classname.find("Linear")``): with `nn.Dense` the branch would never be
taken, and nobody would notice.
"""

from __future__ import annotations

import ast

from mindport.convert.context import MODULE, Context
from mindport.convert.scopes import scope_of
from mindport.inference import torchfacts
from mindport.inference import values as v
from mindport.inference.facts import Use

CLASS_NAME = f"{MODULE}.__class__.__name__"


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the vendored `class_name` for names of torch's layers, and of what may be one where the function compares with a layer's name."""
    for node in context.file.nodes:
        match node:
            case ast.Call(func=ast.Attribute(value=module, attr="_get_name"), args=[], keywords=[]) if _may_be_layer(context, module):
                context.plan(node, lambda n=node, o=module: _write(context, n, o))  # type: ignore[misc]
        if not isinstance(node, ast.Attribute) or node.attr != "__name__" or not isinstance(node.ctx, ast.Load):
            continue
        owner = owner_of_class(node.value)
        if owner is not None and (_is_layer(context, owner) or (_may_be_layer(context, owner) and _names_a_layer(context, node))):
            context.plan(node, lambda n=node, o=owner: _write(context, n, o))  # type: ignore[misc]


def owner_of_class(node: ast.expr) -> ast.expr | None:
    """The value whose class is meant."""
    if isinstance(node, ast.Attribute) and node.attr == "__class__":
        return node.value
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "type" and len(node.args) == 1:
        return node.args[0]
    return None


def _may_be_layer(context: Context, owner: ast.expr) -> bool:
    for option in v.options(context.facts.value(owner)):
        if isinstance(option, v.Unknown):
            return True
        if isinstance(option, v.Instance) and MODULE in torchfacts.ancestors(option.cls):
            return True
    return False


def _is_layer(context: Context, owner: ast.expr) -> bool:
    """Whether it is known to be a layer of torch's or a module of no known class, at least among what nothing is known of: the name is asked when the program runs."""
    options = v.options(context.facts.value(owner))
    layers = [o for o in options if isinstance(o, v.Instance) and (o.cls == MODULE or MODULE in torchfacts.ancestors(o.cls))]
    return bool(layers) and all(o in layers or isinstance(o, v.Unknown) for o in options)


def _names_a_layer(context: Context, node: ast.AST) -> bool:
    """Whether the function around holds a text that is part of a layer's name."""
    texts = texts_around(context, node)
    layers = {n.rpartition(".")[2] for e in context.shared.catalog.entries if e.kind == "layer" for n in e.names}
    return any(len(text) > 2 and any(text in layer for layer in layers) for text in texts)


def texts_around(context: Context, node: ast.AST) -> list[str]:
    """The texts that the function around holds."""
    return [n.value for n in ast.walk(scope_of(context, node)) if isinstance(n, ast.Constant) and isinstance(n.value, str)]


def _write(context: Context, node: ast.expr, owner: ast.expr) -> None:
    name = context.vendored_name(context.shared.catalog.find(CLASS_NAME)[0])
    text = context.editing.current(*context.editing.span(owner))
    context.editing.replace(*context.editing.span(node), f"{name}({text})")
