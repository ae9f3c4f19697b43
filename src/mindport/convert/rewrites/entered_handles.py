"""``with m.register_forward_hook(f):`` and ``stack.enter_context(handle)``: PyTorch's handles remove their hook when they are left, MindSpore's cannot be entered."""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.inference import values as v
from mindport.inference.facts import Use

HANDLE = "torch.utils.hooks.RemovableHandle"
#: Whose results are such handles.
GIVING = frozenset(("torch.Tensor.register_hook", "torch.Tensor.register_post_accumulate_grad_hook"))
KNOWLEDGE = "mindport.equivalents.tensor_hooks"
DEFINITION = "entered_handle"


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan what can be entered around every handle that is."""
    entered: list[ast.expr] = []
    for node in context.file.nodes:
        match node:
            case ast.With(items=items) | ast.AsyncWith(items=items):
                entered += [item.context_expr for item in items]
            case ast.Call(func=ast.Attribute(attr="enter_context"), args=[handle], keywords=[]):
                entered.append(handle)
    if not entered or KNOWLEDGE not in context.shared.catalog.modules:
        return
    given = {id(use.node) for same_place in uses.values() for use in same_place if use.name in GIVING}
    for node in entered:
        kinds = v.options(context.facts.value(node))
        if id(node) in given or (kinds and all(isinstance(kind, v.Instance) and kind.cls == HANDLE for kind in kinds)):
            context.plan(node, lambda n=node: _write(context, n), last=True)  # type: ignore[misc]


def _write(context: Context, node: ast.expr) -> None:
    editing = context.editing
    text = editing.current(*editing.span(node))
    editing.replace(*editing.span(node), f"{context.definition(KNOWLEDGE, DEFINITION)}({text})")
