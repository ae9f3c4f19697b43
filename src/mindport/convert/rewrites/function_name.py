"""``torch.relu.__name__`` becomes ``"relu"``: the function that stands for torch's may have another name."""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.inference import torchfacts
from mindport.inference.facts import Use

_ENDS = (".__name__", ".__qualname__")


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the text in place of the name of every function and class that torch documents."""
    for same_place in uses.values():
        use = same_place[0]
        owner = use.name.rpartition(".")[0]
        if not use.name.endswith(_ENDS) or not isinstance(use.node, ast.Attribute) or torchfacts.lookup(owner) is None:
            continue
        text = f'"{owner.rpartition(".")[2]}"'
        context.claimed.add(id(use.node))
        context.plan(use.node, lambda u=use, t=text: _write(context, u, t))  # type: ignore[misc]


def _write(context: Context, use: Use, text: str) -> None:
    old = context.editing.current(*context.editing.span(use.node))
    context.editing.replace(*context.editing.span(use.node), text)
    context.record(use, "rewritten", old, text)
