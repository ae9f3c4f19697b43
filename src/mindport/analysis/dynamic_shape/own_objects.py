"""What a function or class shows of what it has no types for: attributes by their uses, objects that it makes itself, products."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from mindport.analysis.dynamic_shape.abstract import Abstract, Level
from mindport.analysis.dynamic_shape.polynomials import definitions
from mindport.inference import values as v
from mindport.source.walking import walk

if TYPE_CHECKING:
    from mindport.analysis.dynamic_shape.statements import Frame


def shown_by_class(frame: Frame, node: ast.Attribute) -> bool:
    """``self.mask`` of no type that some method of the class uses as only a tensor is."""
    routine = frame.routine
    own = routine.in_class and isinstance(node.value, ast.Name) and node.value.id == "self" and not routine.prepares_data and routine.name != "__init__"
    return own and frame.untyped(node) and f"self.{node.attr}" in frame.engine.shown_in(routine)


def filled_here(frame: Frame, holder: ast.expr, held: Abstract) -> Abstract:
    """A list of an object that the function has made and its own counting loops have filled: as long as these turn, not longer with every call."""
    if held.length < Level.RANDOM or held.origin is None or id(held.origin.node) not in frame.engine.by_calls or not isinstance(holder, ast.Name):
        return held
    made = definitions(frame.routine.node).get(holder.id)
    if not isinstance(made, ast.Call) or not any(isinstance(o, v.ProjectClass) for o in v.options(frame.fact(made.func))):
        return held
    loops = [n for n in frame.routine.nodes if isinstance(n, (ast.For, ast.While)) and _names(n, holder.id) and not (isinstance(n, ast.For) and _names(n.iter, holder.id))]
    return replace(held, length=Level.CONSTANT) if loops and all(_counts(frame, loop) for loop in loops) else held


def _counts(frame: Frame, loop: ast.For | ast.While) -> bool:
    from mindport.analysis.dynamic_shape.expressions import evaluate

    asked = frame.engine.loops_asked
    if not isinstance(loop, ast.For) or loop in asked or any(isinstance(n, (ast.Break, ast.Return)) for n in walk(loop)):
        return False  # asked: two objects that are filled from each other
    asked.add(loop)
    try:
        return evaluate(frame, loop.iter).length < Level.RANDOM
    finally:
        asked.discard(loop)


def _names(node: ast.AST, name: str) -> bool:
    return any(isinstance(n, ast.Name) and n.id == name for n in walk(node))


def product_of_unknown(frame: Frame) -> bool:
    """Whether ``a @ b`` of two things of no type is a tensor: where no array is about."""
    from mindport.analysis.dynamic_shape.subscripts import of_torch_alone

    return of_torch_alone(frame) and not frame.routine.prepares_data
