"""``hps.data.training_files``: no tensor has such a member, so what is asked for its ``data`` in this function is a configuration."""

from __future__ import annotations

import ast
from functools import lru_cache

from mindport.inference import torchfacts


@lru_cache(maxsize=4096)
def asked_for_settings(function: ast.AST) -> frozenset[str]:
    """Dotted names, bound outside of the function's body, whose ``data`` is asked in it for what tensors do not have."""
    bound = {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
    return frozenset(
        ast.unparse(outer.value.value)
        for outer in ast.walk(function)
        if isinstance(outer, ast.Attribute) and isinstance(outer.value, ast.Attribute) and outer.value.attr == "data" and _foreign(outer) and _root(outer) not in (None, *bound)
    )


def _foreign(outer: ast.Attribute) -> bool:
    return isinstance(outer.ctx, ast.Load) and not outer.attr.startswith("_") and torchfacts.lookup(f"torch.Tensor.{outer.attr}") is None


def _root(node: ast.expr) -> str | None:
    """The name that a dotted name begins with."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None
