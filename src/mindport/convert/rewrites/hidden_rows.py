"""``F.softmax(scores, -1)`` in a project that writes minus infinity: a form that bears a row of nothing else (equivalents/hidden_rows.py), unless
none can be hidden (convert/first_column.py)."""

from __future__ import annotations

import ast

from mindport.convert.context import Context, Files
from mindport.convert.first_column import keeps_every_row
from mindport.convert.other_forms import take_form
from mindport.convert.rewrites.masked_logits import is_minus_infinity
from mindport.forms import OF_HIDDEN
from mindport.inference import values as v
from mindport.inference.facts import Use


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Give such uses the name of the other form."""
    take_form(context, uses, OF_HIDDEN, lambda call: context.once(_writes_minus_infinity) and not _keeps_every_row(context, call))


def _writes_minus_infinity(project: Files) -> bool:
    return any(is_minus_infinity(node) for file, _ in project for node in file.nodes)


def _keeps_every_row(context: Context, call: ast.Call) -> bool:
    """Of a call whose scores and axis its text shows."""
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    method = isinstance(call.func, ast.Attribute) and isinstance(context.facts.value(call.func), v.Bound)
    operands = [call.func.value, *call.args] if method and isinstance(call.func, ast.Attribute) else [*call.args]
    scores = named.get("input", operands[0] if operands else None)
    return scores is not None and keeps_every_row(context, call, scores, named.get("dim", operands[1] if len(operands) > 1 else None))
