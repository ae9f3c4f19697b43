"""``make = torch.arange``, ``torch.arange(*sizes)``: which form of a function, and whose names of parameters, shows only when it is called."""

from __future__ import annotations

import ast

from mindport.catalog import Catalog, Entry
from mindport.convert.context import Context
from mindport.inference import torchfacts
from mindport.inference.facts import Use

KNOWLEDGE = "mindport.equivalents.overloads"
CHOOSE = "whichever"
NAMES = "mindport.equivalents.numpy_names"
RENAME = "numpy_named"


def is_chosen_later(catalog: Catalog, use: Use, entries: list[Entry]) -> bool:
    """Whether the form can be chosen when the function is called: not for methods, whose forms differ by types, nor where a form is no function."""
    method = use.kind in ("method", "attribute", "store") or use.name.startswith("torch.Tensor.")
    return not method and len(entries) > 1 and all(e.kind == "function" for e in entries) and KNOWLEDGE in catalog.modules


def is_spread(use: Use) -> bool:
    """Whether a call gives arguments whose number only a run shows: ``torch.arange(*sizes)``."""
    return isinstance(use.node, ast.Call) and (any(isinstance(a, ast.Starred) for a in use.node.args) or any(k.arg is None for k in use.node.keywords))


def chosen_later(context: Context, use: Use, entries: list[Entry]) -> str | None:
    """``whichever(arange, arange_from)``, where the form can be chosen later."""
    if not is_chosen_later(context.shared.catalog, use, entries):
        return None
    forms = ", ".join(context.vendored_name(entry) for entry in entries)
    return f"{context.definition(KNOWLEDGE, CHOOSE)}({forms})"


def call_later(context: Context, use: Use, entries: list[Entry]) -> bool:
    """Write a call with starred arguments that way; whether that was possible."""
    call = use.node
    if not isinstance(call, ast.Call) or not is_spread(use):
        return False
    chosen = chosen_later(context, use, entries)
    if chosen is None:
        return False
    old = context.file.segment(call)
    context.editing.replace(*context.editing.span(call.func), chosen)
    context.record(use, "vendored", old, context.editing.current(*context.editing.span(call)), entries[0])
    return True


def named_later(context: Context, use: Use, name: str) -> str:
    """``numpy_named(sum)`` for a function that is passed on or gets ``**kwargs``, where the project calls with NumPy's names; else its name."""
    passed_on = not isinstance(use.node, ast.Call) or any(k.arg is None for k in use.node.keywords)
    if not passed_on or not torchfacts.numpy_names(use.name) or NAMES not in context.shared.catalog.modules or not context.shared.numpy_keywords:
        return name
    return f"{context.definition(NAMES, RENAME)}({name})"
