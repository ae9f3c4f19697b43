"""Calls that take another form of an API: the knowledge names it by torch's name and an ending (`mindport.forms`)."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace

from mindport.convert.context import Context
from mindport.inference.facts import Use


def take_form(context: Context, uses: dict[tuple[int, bool], list[Use]], ending: str, wanted: Callable[[ast.Call], bool]) -> None:
    """Give the calls that want it, and that have such a form, its name."""
    for same_place in uses.values():
        for place, use in enumerate(same_place):
            if isinstance(use.node, ast.Call) and context.shared.catalog.find(use.name + ending) and wanted(use.node):
                same_place[place] = replace(use, name=use.name + ending)
