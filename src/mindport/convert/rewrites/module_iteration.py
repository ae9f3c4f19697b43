"""``for m in net.modules():`` becomes ``for _, m in net.cells_and_names():``, as MindSpore users write it."""

from __future__ import annotations

import ast

from mindport.convert.context import MODULE, Context
from mindport.inference.facts import Use

MODULES = f"{MODULE}.modules"


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the loops and comprehensions of the file that run over ``modules()``."""
    for same_place in uses.values():
        use = same_place[0]
        parent = context.parents.get(id(use.node))
        if use.name != MODULES or use.kind != "method" or not isinstance(use.node, ast.Call):
            continue
        if isinstance(parent, (ast.For, ast.comprehension)) and parent.iter is use.node and isinstance(parent.target, ast.Name):
            context.claimed.add(id(use.node))
            context.plan(use.node, lambda u=use, p=parent: _loop(context, u, p))  # type: ignore[misc]


def _loop(context: Context, use: Use, parent: ast.For | ast.comprehension) -> None:
    assert isinstance(use.node, ast.Call) and isinstance(use.node.func, ast.Attribute)
    editing = context.editing
    end = editing.span(use.node.func)[1]
    editing.replace(end - len("modules"), end, "cells_and_names")
    editing.replace(*editing.span(parent.target), f"_, {context.file.segment(parent.target)}")
    context.record(use, "rewritten", context.file.segment(use.node), editing.current(*editing.span(use.node)))
