"""``type(m) is nn.Linear`` becomes ``type(m) in (nn.Dense, Linear)``: MindSpore's class and the vendored one that derives from it.

What a layer is written as hangs on its arguments; either class is that layer, and no other layer is written as them.
"""

from __future__ import annotations

import ast
import re

from mindport.catalog import Entry
from mindport.convert.class_identity import written_for_both
from mindport.convert.context import Context
from mindport.convert.decide import mindspore_base
from mindport.convert.uses import written
from mindport.inference.facts import Use

_OPERATOR = re.compile(r"^([\s)]*)(is\s+not\b|is\b|==|!=)")


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the second class for every comparison that the whole project is not vendored for."""
    for node in context.file.nodes:
        if isinstance(node, ast.Compare):
            entry = written_for_both(context.shared.catalog, context.facts, node)
            if entry is not None and not context.shared.forced.intersection(entry.names):
                context.plan(node, lambda n=node, e=entry: _write(context, n, e), last=True)  # type: ignore[misc]


def _write(context: Context, node: ast.Compare, entry: Entry) -> None:
    base = mindspore_base(entry)
    assert base is not None
    start, end = context.editing.span(node.left)[1], context.editing.span(node.comparators[0])[1]
    vendored = context.editing.current(*context.editing.span(node.comparators[0]))
    operator = "in" if isinstance(node.ops[0], (ast.Is, ast.Eq)) else "not in"
    old = context.editing.text[start : context.editing.span(node.comparators[0])[0]]
    between = _OPERATOR.sub(rf"\g<1>{operator}", old, count=1)  # comments beside it stay
    context.editing.replace(start, end, f"{between}({written(context, entry, base)}, {vendored})")
