"""``nn.init.normal_(m.weight)`` in a project that normalises weights by their spectral norm: before the first call the attribute is the memory of the parameter in torch, and is computed anew in MindSpore."""

from __future__ import annotations

import ast

from mindport.convert.context import Context, Files
from mindport.inference.facts import Use
from mindport.inference.overlays.tensors import is_in_place

SPECTRAL = "torch.nn.utils.spectral_norm"
INITIALISING = "torch.nn.init."
KNOWLEDGE = "mindport.equivalents.weights_before_calls"


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan what holds the memory in the place of weights that are filled."""
    if not context.once(_normalises):
        return
    for same_place in uses.values():
        call = same_place[0].node
        if not isinstance(call, ast.Call):
            continue
        filled = call.args[0] if same_place[0].name.startswith(INITIALISING) and call.args else _changed(call)
        while isinstance(filled, ast.Attribute) and filled.attr == "data":
            filled = filled.value
        if isinstance(filled, ast.Attribute) and filled.attr == "weight" and id(filled) not in context.claimed and not _is_self(filled.value):
            context.plan(filled, lambda node=filled: _write(context, node), last=True)  # type: ignore[misc]


def _changed(call: ast.Call) -> ast.expr | None:
    """The tensor that a method with an underscore changes."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    return call.func.value if isinstance(call.func, ast.Attribute) and is_in_place(name) else None


def _is_self(holder: ast.expr) -> bool:
    """Whether a class fills its own weight, as it does when it is made: what normalises it comes later."""
    return isinstance(holder, ast.Name) and holder.id == "self"


def _write(context: Context, node: ast.Attribute) -> None:
    """Layers whose weight has another name in MindSpore (gamma) are none that a spectral norm is put on."""
    if not context.editing.current(*context.editing.span(node)).endswith(f".{node.attr}"):
        return
    holder = context.editing.current(*context.editing.span(node.value))
    context.editing.replace(*context.editing.span(node), f'{context.definition(KNOWLEDGE, "memory_of")}({holder}, "{node.attr}")')


def _normalises(project: Files) -> bool:
    return any(use.name == SPECTRAL for _, facts in project for use in facts.uses)
