"""What a call calls, by its last name alone."""

from __future__ import annotations

import ast


def last_name(called: ast.expr) -> str:
    """``Linear`` of ``nn.Linear`` and of ``Linear``; nothing of what is no name (``layers[0]``)."""
    return called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else ""
