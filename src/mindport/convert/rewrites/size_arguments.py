"""``torch.FloatTensor(x.shape)`` and ``x.new(x.size())``: a size alone is written out, ``float_tensor(*x.shape)``.

torch tells a `torch.Size` from a tuple of data; MindSpore's shapes are plain tuples.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.inference import values as v
from mindport.inference.facts import Use

KNOWLEDGE = "mindport.equivalents.legacy_constructors"


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the star before every size that such a constructor is given alone."""
    for same_place in uses.values():
        use = same_place[0]
        if not isinstance(use.node, ast.Call) or len(use.node.args) != 1:
            continue
        if not any(entry.module.name == KNOWLEDGE and entry.kind == "function" for entry in context.shared.catalog.find(use.name)):
            continue
        size = use.node.args[0]
        if _is_size(context, size):
            context.plan(size, lambda s=size: context.editing.insert(context.editing.span(s)[0], "*"), last=True)  # type: ignore[misc]


def _is_size(context: Context, node: ast.expr) -> bool:
    kind = context.facts.value(node)
    if isinstance(kind, v.Sequence):
        return kind.type == "torch.Size"
    return isinstance(kind, v.Unknown) and isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "size" and not node.args
