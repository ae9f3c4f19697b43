"""Pairs, positions, running sums and copies of as many elements as the data decide, which may be none (``x[keep].max(1)``).

MindSpore's CPU kernels of these raise where there is nothing ("the dimension of output must not be 0"); torch gives an empty
tensor. Conversion takes these forms where inference follows an operand from a mask, `nonzero` and their kin; their names are
torch's with `_of_counted`. Measured: docs/differences/functions.md.
"""

import mindspore as ms
from mindspore import Tensor, ops

from mindport.declare import Refused, equivalent
from mindport.equivalents.arithmetic import maximum, minimum
from mindport.equivalents.cumulative import cumsum
from mindport.equivalents.reduction import argmax, argmin, torch_max, torch_min
from mindport.equivalents.shape import repeat
from mindport.equivalents.softmax import one_hot


def no_pairs(input, other):
    """Whether two tensors have no elements beside each other."""
    return isinstance(other, Tensor) and (input.size == 0 or other.size == 0)


def no_rows(input, dim):
    """Whether there are no rows to choose from, though each row would hold something."""
    return isinstance(dim, int) and input.size == 0 and input.shape[dim] > 0


def no_places(input, dim, keepdim):
    """The positions, int64, that nothing has along an axis."""
    return input.astype(ms.int64).sum(dim, keepdim)


@equivalent("torch.maximum_of_counted", "torch.Tensor.maximum_of_counted")
def maximum_of_counted(input, other, *, out=None):
    """The greater element. https://docs.pytorch.org/docs/2.13/generated/torch.maximum.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return input + other if no_pairs(input, other) else maximum(input, other)


@equivalent("torch.minimum_of_counted", "torch.Tensor.minimum_of_counted")
def minimum_of_counted(input, other, *, out=None):
    """The smaller element. https://docs.pytorch.org/docs/2.13/generated/torch.minimum.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return input + other if no_pairs(input, other) else minimum(input, other)


def chosen(choose, input, dim, keepdim, other, out):
    """What `choose` (the maximum or minimum) gives, and nothing of nothing."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensors")
    second = dim if other is None else other
    if no_pairs(input, second):
        return input + second
    if no_rows(input, dim):
        return input.sum(dim, keepdim).astype(input.dtype), no_places(input, dim, keepdim)
    return choose(input, dim, keepdim, other=other)


@equivalent("torch.max_of_counted", "torch.Tensor.max_of_counted")
def max_of_counted(input, dim=None, keepdim=False, *, other=None, out=None):
    """The maximum, with an axis also its positions, with a second tensor the greater elements.

    https://docs.pytorch.org/docs/2.13/generated/torch.max.html
    """
    return chosen(torch_max, input, dim, keepdim, other, out)


@equivalent("torch.min_of_counted", "torch.Tensor.min_of_counted")
def min_of_counted(input, dim=None, keepdim=False, *, other=None, out=None):
    """The minimum, with an axis also its positions, with a second tensor the smaller elements.

    https://docs.pytorch.org/docs/2.13/generated/torch.min.html
    """
    return chosen(torch_min, input, dim, keepdim, other, out)


@equivalent("torch.argmax_of_counted", "torch.Tensor.argmax_of_counted")
def argmax_of_counted(input, dim=None, keepdim=False):
    """The int64 position of the maximum. https://docs.pytorch.org/docs/2.13/generated/torch.argmax.html"""
    return no_places(input, dim, keepdim) if no_rows(input, dim) else argmax(input, dim, keepdim)


@equivalent("torch.argmin_of_counted", "torch.Tensor.argmin_of_counted")
def argmin_of_counted(input, dim=None, keepdim=False):
    """The int64 position of the minimum. https://docs.pytorch.org/docs/2.13/generated/torch.argmin.html"""
    return no_places(input, dim, keepdim) if no_rows(input, dim) else argmin(input, dim, keepdim)


@equivalent("torch.cumsum_of_counted", "torch.Tensor.cumsum_of_counted")
def cumsum_of_counted(input, dim, *, dtype=None, out=None):
    """The running sum along an axis. https://docs.pytorch.org/docs/2.13/generated/torch.cumsum.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if input.size > 0:
        return cumsum(input, dim, dtype=dtype)
    if dtype is None:
        dtype = input.dtype if input.is_floating_point() or input.is_complex() else ms.int64
    return input.astype(dtype)


@equivalent("torch.nn.functional.one_hot_of_counted")
def one_hot_of_counted(tensor, num_classes=-1):
    """Indices as vectors of 0 and 1, int64. https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.one_hot.html"""
    if tensor.size == 0 and num_classes > 0:
        return ops.zeros((*tensor.shape, num_classes), ms.int64)
    return one_hot(tensor, num_classes)


@equivalent("torch.Tensor.repeat_of_counted")
def repeat_of_counted(self, *repeats):
    """Copies side by side along each axis. https://docs.pytorch.org/docs/2.13/generated/torch.Tensor.repeat.html"""
    if self.size > 0:
        return repeat(self, *repeats)
    times = tuple(repeats[0]) if len(repeats) == 1 and isinstance(repeats[0], (tuple, list)) else repeats
    shape = (1,) * (len(times) - self.ndim) + tuple(self.shape)
    return ops.zeros(tuple(size * time for size, time in zip(shape, times)), self.dtype)
