"""``method(x, "max", max_of_tensor)``: the text of a choice that is made when the program runs."""

from __future__ import annotations

import ast
from typing import Literal

from mindport.catalog import Entry
from mindport.convert.context import Context
from mindport.convert.printing import quote_inside
from mindport.convert.receiver import split

KNOWLEDGE = "mindport.equivalents.unknown_receiver"


def write_choice(
    context: Context, node: ast.expr, member: ast.Attribute, wanted: Literal["method", "attribute"], of_tensors: Entry | None, of_cells: Entry | None
) -> None:
    """Put the choice between a tensor's meaning, a module's and the object's own in the place of ``x.max``, a part of `node`."""
    editing = context.editing
    name = context.definition(KNOWLEDGE, wanted)
    quote = quote_inside(node, context.parents, lambda outer: context.file.segment(outer)) or '"'
    given = [f"{quote}{member.attr}{quote}", context.vendored_name(of_tensors) if of_tensors is not None else "None"]
    if of_cells is not None:
        given.append(context.vendored_name(of_cells))
    receiver, between = split(editing, member)
    editing.replace(*editing.span(member), f"{name}({receiver}, {between}{', '.join(given)})")
