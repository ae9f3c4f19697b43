"""Finds the declared Python object of an entry by importing its file. Needs MindSpore: inside workers only."""

from __future__ import annotations

import importlib
from functools import cache
from typing import Any

from mindport import declare
from mindport.catalog import Entry


@cache
def _imported(module: str) -> Any:
    return importlib.import_module(module)


def declaration(entry: Entry) -> declare.Declaration:
    """The declaration that importing the entry's file made; LookupError where it made none."""
    module = _imported(entry.module.name)
    candidates = [d for d in declare.DECLARED.get(entry.name, []) if d.names == entry.names and d.kind == entry.kind]
    if entry.node is not None:
        wanted = getattr(module, entry.node.name, None)
        named = [d for d in candidates if getattr(d.target, "__name__", None) == entry.node.name]
        candidates = [d for d in named if d.target is wanted] or named
    if not candidates:
        raise LookupError(f"{entry.place}: importing the file declares no {entry.key}")
    return candidates[0]
