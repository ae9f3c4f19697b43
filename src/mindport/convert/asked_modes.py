"""Projects that ask modules for their mode (``was = net.training``), to put it back later: there even what computes the same in both modes has to say torch's."""

from __future__ import annotations

import ast

from mindport.convert.own_modes import Files

_MODE = "training"


def asks_modes(files: Files) -> bool:
    """Whether the project reads the mode of anything but a method's own object."""
    return any(isinstance(node, ast.Attribute) and node.attr == _MODE and isinstance(node.ctx, ast.Load) and not _is_own(node.value) for file, _ in files for node in file.nodes)


def _is_own(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"
