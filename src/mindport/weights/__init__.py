"""Moves checkpoints between torch and MindSpore without either framework.

`convert_file(source, target, layout)` is the door; `derive` makes the layout from recorded
module trees. Names are loaded on first use, because the recorders import this package in
environments that have only a framework, numpy and the standard library.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mindport.weights.array import Array, WeightError
    from mindport.weights.derivation import derive
    from mindport.weights.files import read, write
    from mindport.weights.layout import Entry, Layout
    from mindport.weights.live import layout_of
    from mindport.weights.states import StateMaps
    from mindport.weights.transfer import WeightReport, convert, convert_file
    from mindport.weights.tree import Tree

_HOME = {
    "Array": "array", "WeightError": "array", "WeightReport": "transfer", "convert": "transfer",
    "convert_file": "transfer", "derive": "derivation", "layout_of": "live", "read": "files", "write": "files",
    "Entry": "layout", "Layout": "layout", "StateMaps": "states", "Tree": "tree",
}

__all__ = [
    "Array", "Entry", "Layout", "StateMaps", "Tree", "WeightError", "WeightReport",
    "convert", "convert_file", "derive", "layout_of", "read", "write",
]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        value = getattr(importlib.import_module(f"mindport.weights.{_HOME[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
