"""``torch.LongTensor(range(n))`` and ``torch.LongTensor(list(range(1, n)))``: numbers in order are ``arange``'s, which a graph computes, too."""

from __future__ import annotations

import ast
from dataclasses import replace

from mindport.convert.context import Context
from mindport.convert.rewrites.size_arguments import constructs
from mindport.inference import values as v
from mindport.inference.facts import Use

IN_ORDER = "torch.arange"


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Have such a call be one of the function that counts: of its range's own arguments."""
    for use in [same_place[0] for same_place in uses.values()]:
        if isinstance(use.node, ast.Call) and constructs(context, use.name) and _is_whole(context, use.node) and (counted := _range(context, use.node)) is not None:
            context.claimed.add(id(use.node))
            uses[(id(counted), False)] = [replace(use, name=IN_ORDER, node=counted)]
            context.plan(use.node, lambda u=use, c=counted: _write(context, u, c), last=True)  # type: ignore[misc]


def _write(context: Context, use: Use, counted: ast.Call) -> None:
    new = context.editing.current(*context.editing.span(counted))
    context.editing.replace(*context.editing.span(use.node), new)
    context.record(use, "rewritten", context.file.segment(use.node), new)


def _is_whole(context: Context, call: ast.Call) -> bool:
    """Whether what is made has the dtype of whole numbers in order."""
    return all(isinstance(kind, v.TensorValue) and kind.dtype == "torch.int64" for kind in v.options(context.facts.value(call)))


def _range(context: Context, call: ast.Call) -> ast.Call | None:
    match call:
        case ast.Call(args=[ast.Call(args=[_, *_], keywords=[]) as given], keywords=[]):
            called = context.facts.value(given.func)
            if called == v.Api("builtins.range"):
                return given
            return _range(context, given) if called == v.Api("builtins.list") else None
    return None
