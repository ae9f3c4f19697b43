"""``y.is_leaf``, ``y.grad_fn``, ``y.retain_grad()``: what only MindSpore's tape can answer puts its process on the tape.

The knowledge says so: a difference with ``not on_tape`` in its condition. Inside of a module's own methods whether a tensor wants a gradient is
answered right while a step is differentiated, so that asking there (``if x.requires_grad:``) leaves the step a function.
"""

from __future__ import annotations

import ast

from mindport.convert.bind import Binding
from mindport.convert.context import MODULE, Context
from mindport.convert.decide import differences, settled_on_tape
from mindport.convert.scopes import class_around
from mindport.convert.site import bind_site, site
from mindport.convert.training.tape import available
from mindport.inference.facts import Use

TAPE, RECORDING = "mindport.equivalents.tape", "RECORDING"


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Ask for the tape where it makes a difference, or have it record from the start."""
    if not available(context.shared.target.version):
        return
    for same_place in uses.values():
        for use in same_place:
            if len(same_place) == 1 and _wants_tape(context, use):
                if context.on_tape:
                    context.runs(context.shared.catalog.modules[TAPE], RECORDING)
                else:
                    text = context.file.segment(use.node)
                    context.shared.wanting_tape[id(use.node)] = f"`{text}` asks for the graph (line {context.file.span(use.node).line})"


def _wants_tape(context: Context, use: Use) -> bool:
    """Whether a difference that the tape removes may hold here."""
    if use.kind == "attribute":
        around = class_around(context, use.node)
        if not isinstance(getattr(use.node, "ctx", None), ast.Load) or (around is not None and MODULE in context.facts.ancestors.get(around, ())):
            return False
    elif use.kind != "method":
        return False
    place = site(use)
    for entry in context.shared.catalog.find(use.name):
        binding = bind_site(place, entry)
        if any(settled_on_tape(difference) for difference, _ in differences(entry, binding if isinstance(binding, Binding) else None, context.look)):
            return True
    return False
