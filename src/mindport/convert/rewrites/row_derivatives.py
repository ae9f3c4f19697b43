"""``grad(loss)(params, x)`` inside of what is differentiated: the form that is an operation of its own there (`training.row_derivatives`)."""

from __future__ import annotations

from mindport.convert.context import Context
from mindport.convert.other_forms import take_form
from mindport.convert.training.row_derivatives import FORWARDS, are_inside, is_product
from mindport.forms import OF_ROWS
from mindport.inference import values as v
from mindport.inference.facts import Use


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Give all derivatives of the project that have it the form's name."""
    if are_inside(context):
        take_form(context, uses, OF_ROWS, lambda call: v.Api(FORWARDS) not in v.options(context.facts.value(call.func)) or is_product(context.facts, call))
