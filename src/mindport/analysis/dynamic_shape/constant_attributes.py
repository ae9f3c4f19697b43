"""Attributes whose tensors hold the same values ever after: made of settings when the object is, and written into by nobody."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

from mindport.analysis.dynamic_shape import apis
from mindport.analysis.dynamic_shape.abstract import Abstract, Level
from mindport.analysis.dynamic_shape.places import ONCE
from mindport.inference import values as v
from mindport.source.file import SourceFile
from mindport.source.walking import walk

if TYPE_CHECKING:
    from mindport.analysis.dynamic_shape.statements import Frame

#: What gives the tensor itself: ``self.mask.data.copy_(x)``.
_SAME = ("data", "detach", "view")


def of_settings(frame: Frame, plain: str, parts: list[Abstract]) -> bool:
    """``torch.tensor(block_size)`` where an object is made: the same numbers ever after."""
    return plain in apis.FACTORIES and frame.routine.runs_once and bool(parts) and all(
        part.level <= Level.CONFIGURATION and not (part.tensor or part.array or part.sample or part.opaque or part.shape) and part.length < Level.RANDOM for part in parts
    )


def same_numbers(frame: Frame, node: ast.Attribute, found: Abstract) -> bool:
    """Whether an attribute is a tensor of settings that nothing writes into, neither the project nor an optimizer."""
    trained = any(isinstance(o, v.TensorValue) and o.parameter for o in v.options(frame.fact(node)))
    return found.fixed and found.level <= Level.CONFIGURATION and not trained and node.attr not in frame.engine.rewritten


def rewritten(files: Iterable[SourceFile]) -> frozenset[str]:
    """Names of attributes that something writes into, outside of what runs once, or sets on an object that is not its own."""
    return frozenset().union(*(_in_file(file) for file in files))


@lru_cache(maxsize=4096)
def _in_file(file: SourceFile) -> frozenset[str]:
    found: set[str] = set()
    settled = {id(n) for f in file.nodes if isinstance(f, ast.FunctionDef) and f.name in ONCE for n in walk(f)}
    for node in file.nodes:
        if id(node) in settled:
            continue
        if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                for part in walk(target):
                    if isinstance(part, ast.Subscript):
                        found.add(_attribute(part.value))
                    elif isinstance(part, ast.Attribute) and (isinstance(node, ast.AugAssign) or not (isinstance(part.value, ast.Name) and part.value.id == "self")):
                        found.add(_attribute(part))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr.endswith("_") and not node.func.attr.endswith("__"):
            found.add(_attribute(node.func.value))
        elif isinstance(node, ast.keyword) and node.arg == "out":
            found.add(_attribute(node.value))
    return frozenset(found - {""})


def _attribute(node: ast.expr) -> str:
    """The attribute that a place is a part of: ``mask`` for ``self.mask.data[i]``."""
    while True:
        if isinstance(node, ast.Subscript):
            node = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and (node.func.attr.endswith("_") or node.func.attr in _SAME):
            node = node.func.value
        elif isinstance(node, ast.Attribute) and node.attr in _SAME and isinstance(node.value, (ast.Attribute, ast.Subscript)):
            node = node.value
        else:
            return node.attr if isinstance(node, ast.Attribute) else ""
