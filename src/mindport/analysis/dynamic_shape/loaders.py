"""Loaders: what a loop over one gives is a batch, and all that a batch holds is data, other in every step.

A batch is held as a tensor: its attributes, entries and parts are tensors, too, unless they say something that all batches share.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from mindport.analysis import torch_names
from mindport.analysis.dynamic_shape import apis
from mindport.inference import values as v

if TYPE_CHECKING:
    from mindport.analysis.dynamic_shape.statements import Frame


def gives_batches(frame: Frame, node: ast.expr) -> bool:
    """Whether something is a loader, by its type, or by its name where it has none."""
    name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
    if frame.routine.prepares_data or not apis.LOADER_WORDS & set(name.lower().split("_")):
        return False
    known = v.options(frame.fact(node))
    return all(isinstance(o, v.Unknown) or isinstance(o, v.Instance) and o.cls == torch_names.LOADER for o in known)
