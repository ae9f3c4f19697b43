"""Configurations and batches that have members of tensors' names: what else a function asks them for shows that they are none.

``hps.data.training_files``: no tensor has such a member, so what is asked for its ``data`` in this function is a configuration; ``config.optim.lr``,
then ``config.device`` asks no tensor where it lies.
"""

from __future__ import annotations

import ast
from functools import lru_cache

from mindport.inference import torchfacts
from mindport.source.file import SourceFile


@lru_cache(maxsize=4096)
def asked_for_settings(function: ast.AST) -> frozenset[str]:
    """Dotted names, bound outside of the function's body, whose ``data`` is asked in it for what tensors do not have."""
    bound = {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
    return frozenset(
        ast.unparse(outer.value.value)
        for outer in ast.walk(function)
        if isinstance(outer, ast.Attribute) and isinstance(outer.value, ast.Attribute) and outer.value.attr == "data" and _foreign(outer) and _root(outer) not in (None, *bound)
    )


@lru_cache(maxsize=4096)
def asked_as_another(function: ast.AST, file: SourceFile) -> frozenset[str]:
    """Names that mean one thing throughout the function, and that it asks for what tensors do not have; nobody in the file stores such a member (``w.fast = w - g``)."""
    bound = [node.id for node in ast.walk(function) if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)]
    asked = [node for node in ast.walk(function) if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and _foreign(node)]
    stored = {node.attr for node in file.nodes if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load)} if asked else ()
    names = ((node.value.id, node.attr) for node in asked if isinstance(node.value, ast.Name))
    return frozenset(name for name, attr in names if attr not in stored and bound.count(name) < 2)


def _foreign(outer: ast.Attribute) -> bool:
    return isinstance(outer.ctx, ast.Load) and not outer.attr.startswith("_") and torchfacts.lookup(f"torch.Tensor.{outer.attr}") is None


def _root(node: ast.expr) -> str | None:
    """The name that a dotted name begins with."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None
