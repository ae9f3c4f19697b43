"""``device.type`` of an argument, ``self.device.type``, ``options.device.index``: a device is its name here, a text, which has no ``type`` (and an ``index`` that is a method).

What is known to be a device is written by the knowledge of its members. Here nothing is known of it but that it is called a device: the choice is made when the program runs.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.inference import values as v
from mindport.inference.facts import Use
from mindport.source.called import last_name

KNOWLEDGE = "mindport.equivalents.unknown_devices"
DEVICE = "torch.device"
MEMBERS = {"type": "type_of_device", "index": "index_of_device"}


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the vendored functions."""
    if KNOWLEDGE not in context.shared.catalog.modules or not context.beside_torch():
        return
    for node in context.file.nodes:
        match node:
            case ast.Attribute(value=receiver, attr=member, ctx=ast.Load()) if member in MEMBERS and _may_be_device(context, receiver):
                parent = context.parents.get(id(node))
                known = uses.get((id(node), False), [])
                if all(use.certainty == "likely" for use in known) and id(node) not in context.claimed and not (isinstance(parent, ast.Call) and parent.func is node):
                    context.claimed.add(id(node))
                    context.report("MP105", f"`{ast.unparse(node)}`: whether it is a device's decides when the program runs", node, risk="style", certainty="likely")
                    context.plan(node, lambda n=node, r=receiver, m=member: _write(context, n, r, m))  # type: ignore[misc]


def _may_be_device(context: Context, receiver: ast.expr) -> bool:
    """Whether something is called a device, and may be one and something else."""
    name = last_name(receiver.func if isinstance(receiver, ast.Call) else receiver)
    if "device" not in name.lower():
        return False
    options = v.options(context.facts.value(receiver))
    devices = [isinstance(option, v.Instance) and option.cls == DEVICE for option in options]
    return any(isinstance(option, v.Unknown) for option in options) or any(devices) and not all(devices)


def _write(context: Context, node: ast.Attribute, receiver: ast.expr, member: str) -> None:
    held = context.editing.current(*context.editing.span(receiver))
    context.editing.replace(*context.editing.span(node), f"{context.definition(KNOWLEDGE, MEMBERS[member])}({held})")
