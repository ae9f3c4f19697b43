"""``F.avg_pool2d(x, 2)`` and ``nn.MaxPool2d(2)`` in projects that differentiate gradients: forms whose backward pass has a gradient, too."""

from __future__ import annotations

from mindport.convert.context import Context
from mindport.convert.other_forms import take_form
from mindport.convert.training.second_order import compiles_steps
from mindport.forms import OF_WINDOWS
from mindport.inference.facts import Use


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Give such uses the name of the other form."""
    if compiles_steps(context):
        take_form(context, uses, OF_WINDOWS, lambda call: True)
