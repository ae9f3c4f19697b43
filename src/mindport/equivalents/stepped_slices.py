"""Slices with a step: MindSpore's CPU cannot differentiate them on an axis between others (StridedSliceGrad)."""

import mindspore as ms
from mindspore import Tensor, ops


def every(input, axis, step, start=None, stop=None):
    """``input[start:stop:step]`` along an axis, differentiable on every axis; `step` is positive, the bounds as in Python.

    The elements are gathered, which costs about what the slice costs, and twice its gradient. What is no tensor is sliced.
    """
    if not isinstance(input, Tensor):
        before = (slice(None),) * axis if axis >= 0 else (...,)
        after = (slice(None),) * (-1 - axis)
        items = (*before, slice(start, stop, step), *after)
        return input[items if len(items) > 1 else items[0]]
    length = input.shape[axis]
    first = 0 if start is None else start
    last = length if stop is None else stop
    first = max(first + length, 0) if first < 0 else first
    last = max(last + length, 0) if last < 0 else min(last, length)
    places = tuple(range(first, last, step))
    if len(places) == 0:
        shape = list(input.shape)
        shape[axis] = 0
        return ops.zeros(tuple(shape), input.dtype)
    return ops.gather(input, Tensor(places, ms.int32), axis)
