"""``conv.bias = None`` becomes ``remove_bias(conv)``: MindSpore's cells would add the missing bias all the same."""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.convert.instances import may_be_instance_of
from mindport.inference import values as v
from mindport.inference.facts import Use

KNOWLEDGE = "mindport.equivalents.assigned_modules"
FUNCTION = "remove_bias"
#: Layers whose cells ask `has_bias` when they run.
_LAYERS = frozenset(("torch.nn.Linear", "torch.nn.modules.conv._ConvNd", *(f"torch.nn.Conv{kind}{n}d" for kind in ("", "Transpose") for n in (1, 2, 3))))


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the function for every bias that is set to None on what may be such a layer."""
    if KNOWLEDGE not in context.shared.catalog.modules:
        return
    for node in context.file.nodes:
        match node:
            case ast.Assign(targets=[ast.Attribute(value=owner, attr="bias")], value=ast.Constant(value=None)):
                if any(may_be_instance_of(option, _LAYERS) for option in v.options(context.facts.value(owner))):
                    context.plan(node, lambda n=node, o=owner: _write(context, n, o), last=True)  # type: ignore[misc]


def _write(context: Context, node: ast.Assign, owner: ast.expr) -> None:
    text = context.editing.current(*context.editing.span(owner))
    context.editing.replace(*context.editing.span(node), f"{context.definition(KNOWLEDGE, FUNCTION)}({text})")
