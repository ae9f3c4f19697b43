"""Values that the text itself shows."""

from __future__ import annotations

import ast


def whole_number(node: ast.expr) -> int | None:
    """The number that ``3`` or ``-3`` says; None for any other expression."""
    match node:
        case ast.Constant(value=int(value)):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))):
            return -value
    return None
