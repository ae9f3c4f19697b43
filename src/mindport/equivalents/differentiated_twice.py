"""What a compiled step does not differentiate twice, written by what it does: ranges, and extreme values along an axis.

In MindSpore 2.10.0 a gradient of a gradient through `ops.arange`, also where it only picks places, ends in "real_primal_func is null"; `ops.max` and `ops.min` along an axis have no rule for their own backward pass.
"""

import mindspore as ms
from mindspore import Tensor, ops

from mindport.declare import Refused, equivalent
from mindport.equivalents.ranges import DROPPED, arange_from
from mindport.equivalents.reduction import PAIRED_NAN


@equivalent("torch.arange_differentiated_twice", drops=DROPPED)
def whole_range(end, *, out=None, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False):
    """0, 1, … below `end`."""
    return whole_range_from(0, end, out=out, dtype=dtype)


@equivalent("torch.arange_differentiated_twice", drops=DROPPED)
def whole_range_from(start, end, step=1, *, out=None, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False):
    """start, start + step, … before `end`; of whole numbers by `ops.range`, others as ever."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if not all(isinstance(number, int) and not isinstance(number, bool) for number in (start, end, step)):
        return arange_from(start, end, step, dtype=dtype)
    places = ops.range(start, end, step)
    return places if dtype is None else places.astype(dtype)


def at_places(x, places, dim, keepdim):
    """The elements of x at one place a row along an axis; their gradient goes to these alone."""
    rows = x.swapaxes(dim, -1)
    here = ops.equal(ops.range(0, rows.shape[-1], 1), places.swapaxes(dim, -1))
    found = ops.where(here, rows, ops.zeros_like(rows)).sum(-1, keepdims=True).swapaxes(dim, -1)
    return found if keepdim else found.squeeze(dim)


def along(input, dim, keepdim, position, extreme):
    """The extreme value, or with an axis the values and their positions, by which they are taken out."""
    if dim is None:
        return extreme(input)
    if input.ndim == 0:
        return input, position(input)
    places = position(input, dim, True)
    values = at_places(input, places, dim, keepdim) if input.is_floating_point() else extreme(input, dim, keepdim)  # sums of int32 are int64
    places = places.astype(ms.int64)  # `ops.argmin` counts in int32
    return values, places if keepdim else places.squeeze(dim)


@equivalent("torch.max_differentiated_twice", "torch.Tensor.max_differentiated_twice", differs=[PAIRED_NAN])
def max_along(input, dim=None, keepdim=False, *, other=None, out=None):
    """The maximum; with an axis also its positions; with a second tensor the elementwise maximum."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensors")
    if other is not None or isinstance(dim, Tensor):
        return ops.maximum(input, dim if other is None else other)
    return along(input, dim, keepdim, ops.argmax, ops.amax)


@equivalent("torch.min_differentiated_twice", "torch.Tensor.min_differentiated_twice", differs=[PAIRED_NAN])
def min_along(input, dim=None, keepdim=False, *, other=None, out=None):
    """The minimum; with an axis also its positions; with a second tensor the elementwise minimum."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensors")
    if other is not None or isinstance(dim, Tensor):
        return ops.minimum(input, dim if other is None else other)
    return along(input, dim, keepdim, ops.argmin, ops.amin)
