"""``torch.save(model, path)``: a whole module is no file's content in MindSpore, said before a run of hours ends there."""

from __future__ import annotations

from mindport.convert.context import Context
from mindport.convert.operands import operand
from mindport.convert.rewrites.replaced_module import is_module
from mindport.inference.facts import Use

SAVE = "torch.save"


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Report every module that is saved as it is."""
    for same_place in uses.values():
        for use in same_place:
            saved = operand(use) if use.name == SAVE and use.kind == "call" else None
            if saved is not None and is_module(context, saved):
                context.report(
                    "MP103", f"{SAVE}: a whole module is not written, the call raises: save `{context.file.segment(saved)}.state_dict()`, and load it into a module that is made anew",
                    use.node, api=SAVE, risk="loud",
                )  # fmt: skip
