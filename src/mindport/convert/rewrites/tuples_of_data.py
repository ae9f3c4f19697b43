"""``torch.LongTensor(item["triple"])`` of what nothing shows: a tuple is data, as long as the project hands no size on.

torch tells a `torch.Size` from a tuple of data; MindSpore's shapes are plain tuples, and the constructor could only refuse.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.convert.rewrites.size_arguments import constructs
from mindport.convert.travelling_sizes import sizes_travel
from mindport.inference import values as v
from mindport.inference.facts import Use

KNOWLEDGE = "mindport.equivalents.tuples_of_data"
SETTING = "TUPLES_ARE_DATA"


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Have the vendored module take such tuples as data where the file gives a constructor one thing of which nothing is known."""
    if any(_takes_unknown(context, use) for same_place in uses.values() for use in same_place) and not context.once(sizes_travel):
        context.runs(context.shared.catalog.modules[KNOWLEDGE], SETTING)


def _takes_unknown(context: Context, use: Use) -> bool:
    if not isinstance(use.node, ast.Call) or len(use.node.args) != 1 or use.node.keywords or not constructs(context, use.name):
        return False
    kinds = v.options(context.facts.value(use.node.args[0]))
    return not kinds or any(isinstance(kind, v.Unknown) or isinstance(kind, v.Sequence) and kind.type == "tuple" for kind in kinds)
