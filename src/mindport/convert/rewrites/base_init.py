"""``nn.Module.__init__(self)``: the base class's own constructor, called by its name as before ``super()``."""

from __future__ import annotations

import ast

from mindport.convert.context import MODULE, Context
from mindport.convert.uses import written
from mindport.inference.facts import Use


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan ``nn.Cell.__init__(self)`` in its place."""
    for same_place in uses.values():
        use = same_place[0]
        if use.name == f"{MODULE}.__init__" and isinstance(use.node, ast.Call) and isinstance(use.node.func, ast.Attribute) and len(use.node.args) == 1:
            context.claimed.add(id(use.node))
            context.plan(use.node.func.value, lambda u=use, n=use.node.func.value: _write(context, u, n))  # type: ignore[misc]


def _write(context: Context, use: Use, named: ast.expr) -> None:
    entry = next(e for e in context.shared.catalog.find(MODULE) if isinstance(e.node, ast.ClassDef))
    assert isinstance(entry.node, ast.ClassDef)
    old, new = context.file.segment(named), written(context, entry, entry.node.bases[0])
    context.editing.replace(*context.editing.span(named), new)
    context.record(use, "renamed", f"{old}.__init__", f"{new}.__init__", entry)
