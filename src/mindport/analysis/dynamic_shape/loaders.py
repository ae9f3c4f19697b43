"""Loaders: what a loop over one gives is a batch, and all that a batch holds is data, other in every step.

A batch is held as a tensor: its attributes, entries and parts are tensors, too, unless they say something that all batches share.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from mindport.analysis import torch_names
from mindport.analysis.dynamic_shape import apis
from mindport.analysis.dynamic_shape.abstract import Abstract, Level, container
from mindport.analysis.dynamic_shape.handed_in import is_parameter
from mindport.inference import values as v

if TYPE_CHECKING:
    from mindport.analysis.dynamic_shape.statements import Frame


#: The steps of an episode.
EPISODE = Abstract(Level.DATA, element=Abstract(Level.DATA, element=Abstract(Level.DATA), length=Level.DATA, added=None), length=Level.DATA, added=None)
#: The two ends of a segment.
SEGMENT = container((Abstract(Level.DATA), Abstract(Level.DATA)))


def is_batch(name: str) -> bool:
    """Whether a parameter of unknown type is a batch, by its name."""
    return name.lower().rpartition("_")[2] == "batch"


def over_batches(node: ast.expr, iterated: Abstract | None) -> bool:
    """Whether a loop goes over a loader, over its batches with their numbers, or over what a function makes batches of."""
    inner = iterated.element if iterated is not None else None
    if iterated is not None and (iterated.loader or inner is not None and inner.items is not None and len(inner.items) == 2 and inner.items[1].loader):
        return True
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:  # enumerate(batches(x))
        if apis.BATCHING_WORDS & set(node.func.id.lower().split("_")):
            return True
        node = node.args[0]
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and bool(apis.BATCHING_WORDS & set(node.func.attr.lower().split("_")))


def segments(frame: Frame, target: ast.expr, over: ast.expr, iterated: Abstract) -> bool:
    """``for start, end in bounds`` of a parameter of which nothing is known: where the samples of a batch begin and end."""
    if iterated.tensor or iterated.element is not None or not isinstance(over, ast.Name) or not is_parameter(frame, over) or not frame.untyped(over):
        return False
    names = [part.id.lower() for part in target.elts if isinstance(part, ast.Name)] if isinstance(target, ast.Tuple) else []
    return len(names) == 2 and names[0].startswith(apis.FIRST_ENDS) and names[1].startswith(apis.LAST_ENDS)


def episodes(frame: Frame, node: ast.expr, iterated: Abstract) -> bool:
    """``for states, rewards in episodes`` of a parameter of which nothing is known: each is as long as it took."""
    if iterated.tensor or iterated.element is not None or not is_parameter(frame, node) or not frame.untyped(node):
        return False
    return bool(apis.EPISODE_WORDS & set(node.id.lower().split("_")))  # type: ignore[attr-defined]


def gives_batches(frame: Frame, node: ast.expr) -> bool:
    """Whether something is a loader, by its type, or by its name where it has none."""
    name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
    if frame.routine.prepares_data or not name:
        return False
    known = v.options(frame.fact(node))
    loaders = [o for o in known if isinstance(o, v.Instance) and o.cls == torch_names.LOADER]
    if not loaders and not apis.LOADER_WORDS & set(name.lower().split("_")):
        return False
    return all(isinstance(o, v.Unknown) or o in loaders for o in known)
