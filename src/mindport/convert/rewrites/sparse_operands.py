"""``torch.mm(adjacency, x)`` where the project makes sparse tensors: the form that takes them, too, where knowledge has one.

Types do not tell: torch's sparse tensors are `torch.Tensor`. Operators (``adjacency @ x``) ask their operands themselves.
"""

from __future__ import annotations

from dataclasses import replace

from mindport.convert.context import Context
from mindport.forms import OR_SPARSE
from mindport.inference.facts import Use


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Give such uses the name of the other form; a constant is a class that `isinstance` asks for."""
    if not context.shared.holds_sparse_tensors:
        return
    for same_place in uses.values():
        for place, use in enumerate(same_place):
            forms = context.shared.catalog.find(use.name + OR_SPARSE)
            if any((form.kind == "constant") == (use.kind == "check") for form in forms):
                same_place[place] = replace(use, name=use.name + OR_SPARSE)
