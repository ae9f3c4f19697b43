"""Functions inside of functions: they read the names around them, and leave values in these.

What an inner function binds by `nonlocal`, or puts into a container of the function around it, that one holds where it calls it or hands it on.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from mindport.analysis.dynamic_shape.abstract import Abstract, join

if TYPE_CHECKING:
    from mindport.analysis.dynamic_shape.engine import Routine
    from mindport.analysis.dynamic_shape.statements import Frame


def inner_function(frame: Frame, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    """A definition inside of a function."""
    routine = frame.engine.routines.get(id(node))
    if routine is None or isinstance(frame.routine.node, ast.Module):
        return
    routine.around, routine.within = frame.env, frame.routine
    frame.inner[node.name] = routine


def left_around(frame: Frame, name: str, value: Abstract) -> None:
    """An inner function sets a name of the function around it, or writes into what that holds."""
    routine = frame.routine
    before = routine.outside.get(name)
    after = value if before is None else join(before, value)
    if after != before:
        routine.outside[name] = after
        if routine.within is not None:
            frame.engine.again(routine.within)


def taken_from(frame: Frame, routine: Routine) -> None:
    """What a call of an inner function may have left in the names of the function that it is in."""
    if routine.within is frame.routine:
        for name, value in routine.outside.items():
            if name in frame.env:
                frame.env[name] = join(frame.env[name], value)
