"""``y = x.detach().mul_(2)``: the value of a change past autograd is taken up, and no gradient leads from it to x."""

from __future__ import annotations

import ast

from mindport.convert.aliasing.objects import path
from mindport.convert.aliasing.place import Place
from mindport.convert.aliasing.synchronise import why_no_block

_HELPER = "mindport.equivalents.past_gradients"


def is_taken_up(place: Place) -> bool:
    """Whether a method's change past autograd gives its value to the rest of the statement."""
    return place.mutation.kind == "method" and place.mutation.detached and not place.alone and all(len(uses) == 1 for uses in place.uses)


def taken_up(place: Place) -> str:
    """Plan the change of x where somebody reads it again, and say why it can't be; the method works on what is cut off."""
    if place.verdict.kind == "rebind":
        return ""
    if path(place.mutation.target) is None or place.verdict.sync or _HELPER not in place.context.shared.catalog.modules:
        return place.verdict.others[0] if place.verdict.others else "gradients ignore it in torch, and would follow it in MindSpore"
    if why := why_no_block(place.context, place.mutation.statement):
        return why
    _write_back(place)
    return ""


def _write_back(place: Place) -> None:
    """``x.detach().mul_(2)`` → ``written_back(x, mul_(ops.stop_gradient(x), 2))``."""
    context, node = place.context, place.chain[0].node
    assert isinstance(node, ast.expr)
    target = place.mutation.target
    names: list[str] = []  # the tensor as it is named in the end, before the method around it is written anew

    def work() -> None:
        start, end = context.editing.span(node)
        text = context.editing.current(start, end)
        context.editing.replace(start, end, f"{context.definition(_HELPER, 'written_back')}({names[0]}, {text})")

    context.plan(target, lambda: names.append(context.editing.current(*context.editing.span(target))), last=2)
    context.plan(node, work, last=True)
