"""``layer.reset_parameters()``: MindSpore's layers get the method where a project asks for it, so that the text stays.

``if hasattr(layer, "reset_parameters")`` would be false for every layer, silently.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.inference import values as v
from mindport.inference.facts import Use

KNOWLEDGE = "mindport.layers.reset_parameters"
SETTING = "LAYERS_CAN_BE_RESET"
METHOD = "reset_parameters"
#: Layers that conversion writes itself, as cells without the method.
WITHOUT = frozenset(
    f"torch.nn.{name}" for name in ("RNNCell", "GRUCell", "LSTMCell", "RMSNorm", "PReLU", "EmbeddingBag", "InstanceNorm1d", "InstanceNorm2d", "InstanceNorm3d")
)


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Claim the calls on layers, and have the vendored module teach MindSpore's classes."""
    asked = [node for node in ast.walk(context.file.tree) if _asks(context, node)]
    for same_place in uses.values():
        if same_place[0].name.endswith(f".{METHOD}"):
            use = same_place[0]
            text = context.file.segment(use.node)
            context.claimed.add(id(use.node))
            context.record(use, "same", text, text)
    if asked and KNOWLEDGE in context.shared.catalog.modules:
        context.runs(context.shared.catalog.modules[KNOWLEDGE], SETTING)
        used = sorted(WITHOUT & {use.name for _, facts in context.shared.project for use in facts.uses})
        if used:
            context.report(
                "MP103", f"{METHOD}: {', '.join(used)} have no such method in the converted project, and hasattr says so: reset them by hand",
                asked[0], api=used[0], risk="silent", certainty="likely",
            )  # fmt: skip


def _asks(context: Context, node: ast.AST) -> bool:
    """Whether the method of something that may be a library's layer is named."""
    match node:
        case ast.Attribute(attr=name, ctx=ast.Load()) if name == METHOD:
            return not _is_own(context, node)
        case ast.Constant(value=text):
            return bool(text == METHOD)
    return False


def _is_own(context: Context, node: ast.Attribute) -> bool:
    """Whether the project's own method is meant."""
    options = v.options(context.facts.value(node))
    return all(isinstance(o, v.ProjectFunction) or (isinstance(o, v.Bound) and isinstance(o.function, v.ProjectFunction)) for o in options)
