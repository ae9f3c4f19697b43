"""``torch.save(model, path)``: a whole module is written by its class's name, as pickle does it, so PyTorch's classes and MindSpore's do not read each other's files."""

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
                    "MP103", f"{SAVE}: a file with a whole module is read by the converted program alone: `{context.file.segment(saved)}.state_dict()` goes both ways",
                    use.node, api=SAVE, risk="style",
                )  # fmt: skip
