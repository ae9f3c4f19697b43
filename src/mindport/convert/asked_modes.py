"""Projects that ask modules for their mode (``was = net.training``), to put it back later: there even what computes the same in both modes has to say torch's."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.convert.own_modes import Files

_MODE = "training"


def asks_modes(files: Files) -> bool:
    """Whether the project reads the mode of anything but a method's own object."""
    return any(not _is_own(node.value) for node in _asked(files))


def asks_any_mode(files: Files) -> bool:
    """Whether the project reads the mode of anything, a method's own object included."""
    return any(True for _ in _asked(files))


def _asked(files: Files) -> Iterator[ast.Attribute]:
    return (node for file, _ in files for node in file.nodes if isinstance(node, ast.Attribute) and node.attr == _MODE and isinstance(node.ctx, ast.Load))


def _is_own(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"
