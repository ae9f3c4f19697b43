"""``torch.ones(n, dtype=bool)`` and ``x.to(float)``: Python's types as dtypes are written as MindSpore's.

torch reads `float` as float64 and `int` as int64; MindSpore's functions raise, or take a narrower one.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.inference import values as v
from mindport.inference.facts import Use
from mindport.inference.overlays.creation import PYTHON

#: Methods whose first argument may be a dtype.
_CASTS = frozenset(("torch.Tensor.to", "torch.nn.Module.to"))


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the dtype in place of every such type."""
    for same_place in uses.values():
        use = same_place[0]
        if not isinstance(use.node, ast.Call) or not use.name.startswith("torch."):
            continue
        given = [keyword.value for keyword in use.node.keywords if keyword.arg == "dtype"]
        if use.name in _CASTS:
            given += use.node.args[:1]
        for node in given:
            kind = context.facts.value(node)
            if isinstance(node, ast.Name) and isinstance(kind, v.Api) and kind.name in PYTHON:
                context.plan(node, lambda n=node, k=kind.name: _write(context, n, PYTHON[k]))  # type: ignore[misc]


def _write(context: Context, node: ast.Name, dtype: str) -> None:
    expression = context.shared.catalog.find(dtype)[0].expression
    assert isinstance(expression, ast.Attribute)
    ms = context.imports.local("mindspore", None, "ms")
    context.editing.replace(*context.editing.span(node), f"{ms}.{expression.attr}")
