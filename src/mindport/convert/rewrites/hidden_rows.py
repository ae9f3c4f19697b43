"""``F.softmax(scores, -1)`` in a project that writes minus infinity: a form that bears a row of nothing else (equivalents/hidden_rows.py)."""

from __future__ import annotations

from mindport.convert.context import Context, Files
from mindport.convert.other_forms import take_form
from mindport.convert.rewrites.masked_logits import is_minus_infinity
from mindport.forms import OF_HIDDEN
from mindport.inference.facts import Use


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Give such uses the name of the other form."""
    take_form(context, uses, OF_HIDDEN, lambda call: context.once(_writes_minus_infinity))


def _writes_minus_infinity(project: Files) -> bool:
    return any(is_minus_infinity(node) for file, _ in project for node in file.nodes)
