"""``torch.ByteStorage.from_buffer(…)``: a class method that the class inherits, which gives what the class says.

Inference calls it by the class that defines it. Where there is knowledge under the name of the class that is written, that counts.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from mindport.convert.context import Context
from mindport.inference import values as v
from mindport.inference.facts import Use


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Give such uses the name with the class that is written."""
    for same_place in uses.values():
        for place, use in enumerate(same_place):
            if use.kind != "call" or not isinstance(use.node, ast.Call) or not isinstance(use.node.func, ast.Attribute):
                continue
            owner = context.facts.value(use.node.func.value)
            name = f"{owner.name}.{use.node.func.attr}" if isinstance(owner, v.Api) else use.name
            if name != use.name and use.name.endswith(f".{use.node.func.attr}") and context.shared.catalog.find(name):
                same_place[place] = replace(use, name=name)
