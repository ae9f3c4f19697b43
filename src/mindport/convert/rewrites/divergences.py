"""``F.log_softmax(x, -1)`` and ``softmax`` in a project that computes divergences: forms whose last digits are as good as torch's.

A divergence of two distributions that are nearly the same, as a student's and its teacher's, is a small difference of logarithms (equivalents/fine_logarithms.py).
"""

from __future__ import annotations

from mindport.convert.context import Context, Files
from mindport.convert.other_forms import take_form
from mindport.forms import OF_DIFFERENCES
from mindport.inference.facts import Use

#: What is computed of logarithms and their expectations.
DIVERGENCES = frozenset(("torch.nn.functional.kl_div", "torch.kl_div", "torch.nn.KLDivLoss"))


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Give such uses the name of the other form."""
    take_form(context, uses, OF_DIFFERENCES, lambda call: context.once(_has_divergences))


def _has_divergences(project: Files) -> bool:
    return any(use.name in DIVERGENCES for _, facts in project for use in facts.uses)
