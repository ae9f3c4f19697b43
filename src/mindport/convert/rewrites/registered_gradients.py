"""Projects that differentiate gradients: rules for second gradients that MindSpore lacks are registered where such a gradient is taken."""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.convert.training.second_order import differentiable, given_to_vmap
from mindport.inference.facts import Use

KNOWLEDGE = "mindport.equivalents.registered_gradients"
SETTING = "SECOND_GRADIENTS"


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Have the vendored module register them."""
    batched = given_to_vmap(context.facts, context.file.nodes)
    if any(isinstance(node, ast.Call) and differentiable(context.facts, node, batched) for node in context.file.nodes):
        context.runs(context.shared.catalog.modules[KNOWLEDGE], SETTING)
