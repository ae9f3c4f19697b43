"""The layout of a model that lives in this process."""

from __future__ import annotations

from typing import Any

import msgspec

from mindport.weights.derivation import derive
from mindport.weights.layout import Layout
from mindport.weights.tree import Tree
from mindport.weights.walk_mindspore import walk


def layout_of(cell: Any, torch_tree: Tree | None = None) -> Layout:
    """The layout of a MindSpore cell; torch's tree, recorded elsewhere, makes it exact. Raises `WeightError`."""
    return derive(msgspec.convert(walk(cell), Tree), torch_tree)
