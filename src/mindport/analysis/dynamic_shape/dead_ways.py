"""Ways that no call takes: ``if longest is None`` of a parameter that every call gives."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mindport.analysis.dynamic_shape.statements import Frame


def decided(frame: Frame, test: ast.expr) -> bool | None:
    """How ``x is None`` or ``x is not None`` turns out in every call that the project has; None where it may turn out either way."""
    if not (isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.left, ast.Name) and isinstance(test.comparators[0], ast.Constant) and test.comparators[0].value is None):
        return None
    if not isinstance(test.ops[0], (ast.Is, ast.IsNot)) or not _always_given(frame, test.left.id):
        return None
    return isinstance(test.ops[0], ast.IsNot)


def _always_given(frame: Frame, name: str) -> bool:
    """Whether every call of the routine passes something else than None for a parameter, and the routine does not set it anew."""
    return name in frame.routine.given and name not in frame.routine.left_out and name not in frame.bound
