"""``torch.arange(n)`` and ``x.max(1)`` in functions of a project whose steps are compiled for gradients of gradients: forms whose backward pass has one, too."""

from __future__ import annotations

import ast
from dataclasses import replace

from mindport.convert.context import Context
from mindport.convert.scopes import scope_of
from mindport.convert.training.second_order import compiles_steps
from mindport.forms import TWICE
from mindport.inference.facts import Use


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Give such uses the name of the other form; at module level nothing is differentiated."""
    if context.on_tape or not compiles_steps(context):
        return
    for same_place in uses.values():
        for place, use in enumerate(same_place):
            if isinstance(use.node, ast.Call) and context.shared.catalog.find(use.name + TWICE) and not isinstance(scope_of(context, use.node), ast.Module):
                same_place[place] = replace(use, name=use.name + TWICE)
