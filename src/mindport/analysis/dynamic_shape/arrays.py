"""NumPy's functions: how long an array is follows from numbers, from repeats, from masks and from what is joined."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from mindport.analysis.dynamic_shape import apis
from mindport.analysis.dynamic_shape.abstract import (
    Abstract,
    Level,
    Origin,
    all_fixed,
    container,
    element_of,
    number,
)
from mindport.analysis.dynamic_shape.calls import Given
from mindport.analysis.dynamic_shape.fillers import tail_and_head
from mindport.analysis.dynamic_shape.sized_calls import fills_up
from mindport.analysis.dynamic_shape.subscripts import keeps_width

if TYPE_CHECKING:
    from mindport.analysis.dynamic_shape.statements import Frame


def array_call(frame: Frame, node: ast.Call, name: str, given: Given, receiver: Abstract | None) -> Abstract:
    """NumPy: arrays live on the host; their lengths matter where they become tensors or index one."""
    origin = Origin(frame.routine.file, node)
    most = apis.ARRAY_DYNAMIC.get(name)
    if receiver is not None and receiver.array:
        given = Given([receiver, *given.positional], given.keywords)
    top = number(*given.all)
    if name in apis.ARRAY_FACTORIES and given.positional and given.positional[0].level >= Level.RANDOM and not given.positional[0].array:
        return _sized_array(frame, node, name, given.positional[0])
    if name in apis.CONSTANT_VALUES:
        return Abstract(top.level, array=True, shape=top.shape, fixed=True)
    if all_fixed(*given.all):
        return Abstract(top.level, array=True, shape=top.shape, fixed=True, element=Abstract(top.level, array=True, fixed=True) if most is not None else None)
    if most is not None and (most == 0 or len(given.positional) <= most):
        one = Abstract(Level.DATA, array=True, length=Level.DATA, origin=origin)
        besides = [own for word, own in apis.ARRAY_BESIDES.get(name, ()) if _asks(node, word)]
        if besides:
            return container((one, *(one if own else Abstract(Level.DATA, array=True, origin=origin) for own in besides)))
        several = replace(one, element=replace(one, element=one)) if name.endswith(apis.OF_ARRAYS) else replace(one, element=one)
        return several if name.endswith(apis.ARRAY_TUPLES) else one
    length = max((value.length for value in given.positional[:1]), default=Level.CONSTANT)
    if name in apis.ARRAY_REDUCTIONS and _of_all_rows(node):
        length = Level.CONSTANT
    if (changing := _length(frame, node, name, given)) is not None:
        return Abstract(max(top.level, Level.DATA), array=True, shape=top.shape, length=changing.level if changing.level >= Level.RANDOM else changing.length, origin=changing.origin or origin)
    return Abstract(top.level, array=True, shape=top.shape, length=length, mask=name in apis.ARRAY_TRUTHS, origin=top.origin)


def _asks(node: ast.Call, word: str) -> bool:
    """``np.unique(ids, return_inverse=True)``."""
    return any(k.arg == word and not (isinstance(k.value, ast.Constant) and k.value.value is False) for k in node.keywords)


def _of_all_rows(node: ast.Call) -> bool:
    """``np.sum(x)``, ``np.sum(x, axis=0)``: not along another axis."""
    axis = next((k.value for k in node.keywords if k.arg == "axis"), node.args[1] if len(node.args) > 1 else None)
    return axis is None or isinstance(axis, ast.Constant) and axis.value in (0, None)


def _sized_array(frame: Frame, node: ast.Call, name: str, size: Abstract) -> Abstract:
    """An array of a size that changes: in a collation or data set it is what the batch is made of; elsewhere its length tells where it becomes a tensor."""
    if not frame.routine.prepares_data:
        return Abstract(Level.DATA, array=True, length=size.level, origin=size.origin)
    how = "at random" if size.level == Level.RANDOM else "with the data"
    source = frame.engine.source("MP201", "input", frame.routine, node, f"the size of {name.rpartition('.')[2]} changes {how}", "Slice", size.origin)
    return Abstract(Level.DATA, array=True, shape=frozenset({source}), origin=size.origin)


def _length(frame: Frame, node: ast.Call, name: str, given: Given) -> Abstract | None:
    """What the length of an array follows from, where that differs between steps: a number, the sum of repeats, parts that are joined or left out."""
    entry = apis.ARRAY_SIZES.get(name)
    if entry is not None and not frame.routine.prepares_data:
        place, word = entry
        sizes = [given.keywords[word]] if word in given.keywords else given.positional[place : place + 1] if place >= 0 else given.positional
        if place < 0 and len(node.args) > 1 and keeps_width(frame, node.args[0], node.args[1]):
            return None  # arange(i, i + n)
        return next((value for value in sizes if value.level >= Level.RANDOM and not value.sample and not value.shape), None)
    first = given.positional[0] if given.positional else None
    if name in apis.ARRAY_JOINS and tail_and_head(frame, node):
        return Abstract()
    if name in apis.ARRAY_JOINS and first is not None:
        parts = [*(first.items or ()), *([element_of(first)] if first.element is not None else []), *given.positional[1:]]
        return next((part for part in [first, *parts] if part.length >= Level.RANDOM and not part.extent), None)
    if name in apis.ARRAY_PADDED and len(node.args) > 1 and len(given.positional) > 1:
        amount = given.positional[1]
        return replace(amount, length=Level.CONSTANT) if amount.level >= Level.RANDOM and not amount.shape and not fills_up(frame, node, node.args[1]) else None
    if name in apis.ARRAY_STACKED and first is not None and first.element is not None and first.element.array and first.element.length >= Level.RANDOM:
        return first.element
    if name in apis.ARRAY_LEFT_OUT:
        return next((value for value in given.positional[1:2] if value.length >= Level.RANDOM or value.mask), None)
    return None
