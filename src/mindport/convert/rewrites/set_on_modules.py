"""``m.dilation = (2, 2)`` of what is only known to be some module: told where a layer of the project would not follow it.

A layer of torch computes with what its attributes hold; MindSpore's gave it to an operator when it was made, and goes on with that
(classification backbones that are made dilated: the network computed something else). Layers that can follow are vendored as such
(`convert.read_attributes`). Where the layer is known, `uses` says so.
"""

from __future__ import annotations

import ast

from mindport import catalog
from mindport.convert.context import MODULE, Context, Files
from mindport.convert.read_attributes import LAYERS, layers_made, names_held, set_by_computed_name, unanswered
from mindport.evidence import layer_attributes
from mindport.inference import values as v
from mindport.inference.facts import Use


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Tell every such assignment."""
    for node in context.file.nodes:
        if set_by_computed_name(node, context.facts):
            _tell_computed(context, node)
        if not isinstance(node, ast.Attribute) or not isinstance(node.ctx, ast.Store):
            continue
        kinds = v.options(context.facts.value(node.value))
        if any(isinstance(kind, v.Instance) and kind.cls == MODULE for kind in kinds):
            layers = [layer for layer in context.once(_layers) if layer_attributes.is_lost(layer_attributes.outcome(f"{layer}.{node.attr}", set_later=True))]
            if layers:
                api = f"{layers[0]}.{node.attr}"
                context.report("MP101", f"{api}, if this is one: {unanswered(layers[0], node.attr, 'store')}", node, api=api, mark=True)


def _tell_computed(context: Context, node: ast.AST) -> None:
    """``setattr(m, name, value)``: told where a name that the project holds is one that a layer of it would not follow."""
    for layer in context.once(_layers):
        for name in sorted(context.once(_names)):
            if layer_attributes.is_lost(layer_attributes.outcome(f"{layer}.{name}", set_later=True)):
                api = f"{layer}.{name}"
                context.report("MP101", f"{api}, if it is this one: {unanswered(layer, name, 'store')}", node, api=api, mark=True)
                return


def _names(project: Files) -> frozenset[str]:
    return names_held(file for file, _ in project)


def _layers(project: Files) -> tuple[str, ...]:
    """The layers that the project makes."""
    return tuple(sorted(name for name in layers_made(catalog.load(), (facts for _, facts in project)) if name.startswith(LAYERS)))
