"""``torch.tanh(x)`` in a file that takes logarithms or inverts it: a form that stays within 1, as torch's does and MindSpore's kernel does not.

``log(1 - tanh(x) ** 2)`` would be NaN for x near 5, silently: the loss of a policy whose actions are squashed.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from mindport.convert.context import Context
from mindport.forms import WITHIN_ONE
from mindport.inference.facts import Use

#: What is not defined, or infinite, where its argument passes 1 or falls below 0.
BOUNDED = frozenset(
    f"{owner}.{name}" for owner in ("torch", "torch.Tensor", "torch.special") for name in ("log", "log2", "log10", "log1p", "atanh", "arctanh", "acos", "arccos", "asin", "arcsin", "sqrt", "rsqrt", "logit", "erfinv")
)


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Give such uses the name of the other form."""
    bounded: bool | None = None
    for same_place in uses.values():
        for place, use in enumerate(same_place):
            if isinstance(use.node, ast.Call) and context.shared.catalog.find(use.name + WITHIN_ONE):
                if bounded is None:
                    bounded = any(one.name in BOUNDED for one in (*context.facts.uses, *context.facts.indirect))
                if bounded:
                    same_place[place] = replace(use, name=use.name + WITHIN_ONE)
