"""``self.block(x)`` of a sequence whose first layer overwrites x while its result is another tensor: x gets what that layer makes of it."""

from __future__ import annotations

import ast

from mindport.convert.aliasing.holders import Verdict
from mindport.convert.context import Context
from mindport.inference.overlays import storage


def write_first(context: Context, call: ast.Call, first: str, verdict: Verdict, name: str | None, alone: bool) -> str:
    """Plan ``self.block(copy_(x, self.block[0](x)))``, which is the same where applying the layer twice changes nothing; else a sentence."""
    if verdict.kind == "rebind" and not alone:
        return ""  # nobody reads it again
    if name is None or first not in storage.IDEMPOTENT_LAYERS or not isinstance(call.func, ast.Attribute):
        return verdict.others[0] if verdict.others else f"{name or 'it'} is read again"
    argument, func = call.args[0], call.func

    def work() -> None:
        start, end = context.editing.span(argument)
        text, layers = context.editing.current(start, end), context.editing.current(*context.editing.span(func))
        copy = context.vendored_name(context.shared.catalog.find("torch.Tensor.copy_")[0])
        context.editing.replace(start, end, f"{copy}({text}, {layers}[0]({text}))")

    context.plan(call, work, last=True)
    return ""
