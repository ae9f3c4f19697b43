"""``with torch.device("cuda"):`` and ``with device:``: a device is its name here, and a text cannot be entered."""

from __future__ import annotations

import ast
from dataclasses import replace

from mindport.convert.context import Context
from mindport.forms import AS_CONTEXT
from mindport.inference import values as v
from mindport.inference.facts import Use

DEVICE = "torch.device"
KNOWLEDGE = "mindport.equivalents.devices"
DEFINITION = "entered_device"


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Give such calls the name of the form that can be entered; a device behind a name goes through the same function."""
    if KNOWLEDGE not in context.shared.catalog.modules:
        return
    entered = [i.context_expr for n in context.file.nodes if isinstance(n, (ast.With, ast.AsyncWith)) for i in n.items]
    for same_place in uses.values():
        for place, use in enumerate(same_place):
            if use.name == DEVICE and use.kind == "with":
                same_place[place] = replace(use, name=DEVICE + AS_CONTEXT)
    for node in entered:
        kinds = v.options(context.facts.value(node))
        if not isinstance(node, ast.Call) and kinds and all(isinstance(kind, v.Instance) and kind.cls == DEVICE for kind in kinds):
            context.plan(node, lambda n=node: _write(context, n), last=True)  # type: ignore[misc]


def _write(context: Context, node: ast.expr) -> None:
    editing = context.editing
    text = editing.current(*editing.span(node))
    editing.replace(*editing.span(node), f"{context.definition(KNOWLEDGE, DEFINITION)}({text})")
