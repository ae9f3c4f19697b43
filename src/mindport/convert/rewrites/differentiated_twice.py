"""``torch.arange(n)`` and ``x.max(1)`` in functions of a project whose steps are compiled for gradients of gradients: forms whose backward pass has one, too."""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.convert.other_forms import take_form
from mindport.convert.scopes import scope_of
from mindport.convert.training.second_order import compiles_steps
from mindport.forms import TWICE
from mindport.inference.facts import Use


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Give such uses the name of the other form; at module level nothing is differentiated."""
    if context.on_tape or not compiles_steps(context):
        return
    take_form(context, uses, TWICE, lambda call: not isinstance(scope_of(context, call), ast.Module))
