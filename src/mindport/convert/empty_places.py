"""Lists of modules in which None may keep a place: MindSpore's own list refuses it."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from mindport.inference import values as v
from mindport.inference.facts import Facts

LIST = "torch.nn.ModuleList"
#: What puts modules into a list, and where the argument with them stands; True: it is a sequence of them.
_PUTTING = {LIST: (0, True), f"{LIST}.extend": (0, True), f"{LIST}.append": (0, False), f"{LIST}.insert": (1, False)}


def with_empty_places(facts: Iterable[Facts]) -> frozenset[str]:
    """The list's name where the project may put None into one; nothing known of a value counts as None."""
    for known in facts:
        for use in known.uses:
            where = _PUTTING.get(use.name)
            call = use.node
            if where is None or not isinstance(call, ast.Call) or len(call.args) <= where[0]:
                continue
            if _may_be_none(known.value(call.args[where[0]]), within=where[1]):
                return frozenset((LIST,))
    return frozenset()


def _may_be_none(value: v.Value, within: bool) -> bool:
    for option in v.options(value):
        if not within:
            if option == v.NONE or isinstance(option, v.Unknown):
                return True
        elif isinstance(option, v.Sequence):
            elements = option.items if option.items is not None else (option.element,)
            if any(_may_be_none(element, within=False) for element in elements):
                return True
        elif isinstance(option, v.Unknown):
            return True
    return False
