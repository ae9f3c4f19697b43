"""Positions inside f-strings (a later part fills this in)."""
from __future__ import annotations

import ast


def correct_positions(text: str, tree: ast.Module) -> None:
    """No correction yet."""
