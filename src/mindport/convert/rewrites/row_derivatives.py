"""``grad(loss)(params, x)`` inside of what is differentiated: the form that is an operation of its own there (`training.row_derivatives`)."""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.convert.other_forms import take_form
from mindport.convert.training.row_derivatives import is_product, taken_inside
from mindport.forms import OF_ROWS
from mindport.inference import values as v
from mindport.inference.facts import Use


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Give the derivatives that are taken so, and products of their Hessians, the form's name."""
    if not (taken := taken_inside(context)):
        return

    def is_wanted(call: ast.Call) -> bool:
        return is_product(context.facts, call) or any(option in taken for option in v.options(context.facts.value(call)))

    take_form(context, uses, OF_ROWS, is_wanted)
