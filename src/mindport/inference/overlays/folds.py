"""Functions of Python's that call a function with what a row or a structure holds: `reduce`, `accumulate`, `starmap`, `tree_map`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mindport.inference.arguments import Arguments
from mindport.inference.containers import iterate
from mindport.inference.frame import Frame
from mindport.inference.overlays.callbacks import call_back
from mindport.inference.values import Mapping, Sequence, TensorValue, Unknown, Value, join, options, values_of


def _fold(frame: Frame, node: Any, arguments: Arguments, first: Value | None) -> Value | None:
    """What ``f(f(a, b), c)`` gives, or one of a row's elements: the function is called with an element on the right, and on the left with what it gave."""
    function, row = arguments.get(0, "function"), arguments.get(1, "iterable")
    if function is None or row is None:
        return None
    element = iterate(frame.project, row)
    left = element if first is None else first
    result = call_back(frame, node, function, Arguments([left, element]))
    if any(isinstance(option, Unknown) for option in options(result)):
        return None
    both = join(left, result)
    if both != left:
        call_back(frame, node, function, Arguments([both, element]))
    return both


def _reduce(frame: Frame, node: Any, arguments: Arguments) -> Value:
    return _fold(frame, node, arguments, arguments.get(2, "initial")) or Unknown("the result of reduce")


def _accumulate(frame: Frame, node: Any, arguments: Arguments) -> Value:
    swapped = Arguments([value for value in (arguments.get(1, "func"), arguments.get(0, "iterable")) if value is not None])
    found = _fold(frame, node, swapped, arguments.keywords.get("initial")) if len(swapped.positional) == 2 else None
    return Sequence("iterator", None, found or Unknown("a running result"))


def _starmap(frame: Frame, node: Any, arguments: Arguments) -> Value:
    function, rows = arguments.get(0, "function"), arguments.get(1, "iterable")
    row = iterate(frame.project, rows) if rows is not None else None
    if function is None or not isinstance(row, Sequence):
        return Sequence("iterator")
    given = Arguments(list(row.items)) if row.items is not None else Arguments([], {}, row.element)
    return Sequence("iterator", None, call_back(frame, node, function, given))


def _tree_map(frame: Frame, node: Any, arguments: Arguments) -> Value | None:
    """The function is called with the tensors of a structure; what comes back is left open."""
    if len(arguments.positional) == 2 and (tensors := [*_leaves(arguments.positional[1])]):
        call_back(frame, node, arguments.positional[0], Arguments([join(*tensors)]))
    return None


def _leaves(value: Value) -> Iterator[Value]:
    for option in options(value):
        match option:
            case Sequence(items=items) if items is not None:
                for item in items:
                    yield from _leaves(item)
            case Sequence(element=element):
                yield from _leaves(element)
            case Mapping():
                yield from _leaves(values_of(option))
            case TensorValue():
                yield option


FUNCTIONS = {
    "functools.reduce": _reduce, "itertools.accumulate": _accumulate, "itertools.starmap": _starmap, "torch.utils._pytree.tree_map": _tree_map,
}  # fmt: skip
