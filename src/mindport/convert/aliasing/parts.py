"""``a, b = x.T``, ``a, b = x.unbind(1)``: each name stands for a part of x that an index takes as well (``x[:, 0]``); two such parts share nothing."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from mindport.convert.aliasing.objects import Object, Objects, links, path
from mindport.inference import values as v
from mindport.inference.overlays import storage
from mindport.source.literals import whole_number

if TYPE_CHECKING:
    from mindport.convert.aliasing.knowledge import Knowledge

PART = "part"


def taken_apart(known: Knowledge, value: ast.expr, given: Objects) -> tuple[ast.expr, int, Objects] | None:
    """The tensor whose parts the names get, the axis along which they follow each other, and what the tensor stands for; None where none is seen."""
    whole, axis, views = value, 0, False
    match value:
        case ast.Attribute(value=of, attr=name) | ast.Call(func=ast.Attribute(value=of, attr=name), args=[], keywords=[]) if name in storage.TRANSPOSED:
            whole, axis, views = of, 1, True
        case ast.Call(func=ast.Attribute(value=of, attr=name), args=[*along], keywords=[]) if name in storage.ROWS:
            number = whole_number(along[0]) if along else 0
            if number is None or number < 0:
                return None
            whole, axis, views = of, number, True
    # ``h, c = state``: what nobody knows may be a tuple, which takes nothing back; who asks for `T` or `unbind` has a tensor.
    sure = views or v.is_tensor(known.facts.value(whole))
    if path(whole) is None or not sure or not known.is_tensor(whole) or (axis and _has_other_axes(known, whole)):
        return None
    bases = frozenset(one.base for one in given if one.base is not None) if views else given
    return (whole, axis, bases) if bases and len(bases) == len(given) else None


def part_of(whole: ast.expr, axis: int, place: int) -> ast.Subscript:
    """The index that takes one of the parts: ``x[:, 1]``. It stands nowhere in the file."""
    index: list[ast.expr] = [*(ast.Slice() for _ in range(axis)), ast.Constant(place)]
    return ast.Subscript(whole, ast.Tuple(index, ast.Load()) if axis else index[0], ast.Load())


def apart(a: Object, b: Object) -> bool:
    """Whether two objects lie in different parts of one tensor."""
    return any(x.base == y.base and _place(x) != _place(y) and _axis(x) == _axis(y) for x in links(a) for y in links(b) if x.relation == y.relation == PART)


def _index(one: Object) -> list[ast.expr]:
    assert isinstance(one.expression, ast.Subscript)
    return one.expression.slice.elts if isinstance(one.expression.slice, ast.Tuple) else [one.expression.slice]


def _axis(one: Object) -> int:
    return len(_index(one)) - 1


def _place(one: Object) -> object:
    last = _index(one)[-1]
    assert isinstance(last, ast.Constant)
    return last.value


def _has_other_axes(known: Knowledge, whole: ast.expr) -> bool:
    """Whether a tensor is known to have more than two axes: the transposed one has its parts elsewhere."""
    return any(isinstance(one, v.TensorValue) and one.shape is not None and len(one.shape) > 2 for one in v.options(known.facts.value(whole)))
