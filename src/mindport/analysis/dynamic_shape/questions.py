"""Questions that a function asks of what a step must give: whether something has happened, whether something is among what was given."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from mindport.analysis.dynamic_shape import apis
from mindport.analysis.dynamic_shape.abstract import UNKNOWN, Abstract, Level
from mindport.analysis.dynamic_shape.object_words import OF_SWITCHES, SERVICE_WORDS
from mindport.source.defaults import required

if TYPE_CHECKING:
    from mindport.analysis.dynamic_shape.statements import Frame


def is_required(frame: Frame, node: ast.expr, value: Abstract) -> bool:
    """Whether an expression is a required parameter of no type, called as no setting is, of a function that a step runs."""
    routine = frame.routine
    if value != UNKNOWN or not isinstance(node, ast.Name) or isinstance(routine.node, (ast.Module, ast.Lambda)) or routine.prepares_data or routine.runs_once:
        return False
    return node.id in required(routine.node.args) - routine.left_out and frame.untyped(node) and not (SERVICE_WORDS | apis.SETTING_WORDS) & set(node.id.lower().split("_"))


def among_data(frame: Frame, node: ast.Compare, parts: list[Abstract]) -> bool:
    """``item not in seen`` of what a step is given, or of a collection of values that data made."""
    if len(parts) != 2 or isinstance(node.left, ast.Constant):
        return False
    inner = parts[1].element
    of_data = inner is not None and inner.level >= Level.RANDOM and parts[1].length >= Level.RANDOM and not parts[1].text and not frame.routine.prepares_data
    return of_data or is_required(frame, node.comparators[0], parts[1])


def is_an_event(frame: Frame, node: ast.expr) -> bool:
    """``if done:``, ``if boundary or full:`` of a required parameter of no type that is called as no switch is: another answer in every call."""
    if isinstance(node, ast.BoolOp):
        return any(is_an_event(frame, part) for part in node.values)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return is_an_event(frame, node.operand)
    return isinstance(node, ast.Name) and is_required(frame, node, frame.name(node)) and not OF_SWITCHES & set(node.id.lower().split("_"))
