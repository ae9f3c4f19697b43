"""Lengths that a test tells: behind ``if len(block) == self.size`` the list has that many, however it was filled."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from mindport.analysis.dynamic_shape.abstract import Abstract, Level

if TYPE_CHECKING:
    from mindport.analysis.dynamic_shape.statements import Frame


def told(frame: Frame, test: ast.expr) -> dict[str, Abstract]:
    """The names whose lengths a test says to be a number that does not change, with what they hold where it is true."""
    from mindport.analysis.dynamic_shape.expressions import evaluate

    match test:
        case ast.BoolOp(op=ast.And(), values=parts):
            return {name: held for part in parts for name, held in told(frame, part).items()}
        case ast.Compare(ast.Call(ast.Name("len"), [ast.Name(name)], []), [ast.Eq()], [number]) | ast.Compare(number, [ast.Eq()], [ast.Call(ast.Name("len"), [ast.Name(name)], [])]):
            held, size = frame.env.get(name), evaluate(frame, number)
            if held is not None and not held.tensor and size.level <= Level.SHAPE and not size.shape:
                return {name: replace(held, length=Level.CONSTANT, extent=frozenset(), added=None)}
    return {}
