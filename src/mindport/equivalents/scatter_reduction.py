"""Reductions of the elements that meet at one place: scatter_reduce and index_reduce."""

import mindspore as ms
from mindspore import Tensor, ops

from mindport.declare import Refused, equivalent
from mindport.equivalents.indexing import coordinates, scatter_add


def _reduced(input, dim, index, src, reduce, include_self):
    """All four reductions; ties of amax and amin share the gradient, as in torch."""
    if input.ndim == 0:
        return _reduced(input.reshape(1), 0, index.reshape(-1), src.reshape(-1), reduce, include_self).reshape(())
    if index.size == 0:
        return Tensor.copy(input)
    src = src[tuple(slice(0, size) for size in index.shape)]
    ones = ops.ones(index.shape, input.dtype)
    hits = scatter_add(ops.zeros(input.shape, input.dtype), dim, index, ones)
    own = ops.ones(input.shape, ms.bool_) if include_self else hits == 0
    if reduce in ("sum", "mean"):
        total = scatter_add(ops.where(own, input, ops.zeros_like(input)), dim, index, src)
        if reduce == "sum":
            return total
        count = ops.maximum(hits + own.astype(input.dtype), 1)
        return total / count if input.is_floating_point() or input.is_complex() else ops.floor_divide(total, count)
    if reduce == "prod":
        return _product(ops.where(own, input, ops.ones_like(input)), dim, index, src)
    return _extreme(input, dim, index, src, own, reduce)


def _product(start, dim, index, src):
    """The product without a gradient, then zeros that carry it: of factors that meet, `tensor_scatter_mul` has none that is right."""
    places = coordinates(index, dim)
    fixed, factors = ops.stop_gradient(start), ops.stop_gradient(src)
    found = ops.tensor_scatter_mul(fixed, places, factors)
    if not start.is_floating_point():
        return found
    fixed_zero, factor_zero = fixed == 0, factors == 0
    fixed, factors = (ops.where(zero, ops.ones_like(x), x) for x, zero in ((fixed, fixed_zero), (factors, factor_zero)))
    rest = ops.tensor_scatter_mul(fixed, places, factors)
    zeros = scatter_add(fixed_zero.astype(start.dtype), dim, index, factor_zero.astype(start.dtype))
    moved = _others(fixed, fixed_zero, rest, zeros) * (start - ops.stop_gradient(start))
    rest, zeros = ops.gather_elements(rest, dim, index), ops.gather_elements(zeros, dim, index)
    moved = scatter_add(moved, dim, index, _others(factors, factor_zero, rest, zeros) * (src - ops.stop_gradient(src)))
    return found + ops.where(ops.isfinite(found), moved, ops.zeros_like(moved))


def _others(factor, is_zero, rest, zeros):
    """The product of the other factors, from that of all that are not zero, and the number of zeros."""
    return ops.where(zeros == is_zero.astype(zeros.dtype), rest / factor, ops.zeros_like(rest))


def _extreme(input, dim, index, src, own, reduce):
    """The extreme without a gradient, then the mean of the elements that reach it, with one."""
    largest = reduce == "amax"
    places = coordinates(index, dim)
    touched = ops.stop_gradient(scatter_add(ops.zeros(input.shape, ms.float32), dim, index, ops.ones(index.shape, ms.float32))) > 0
    first = ops.stop_gradient(ops.where(own, input, _scattered(input, places, ops.stop_gradient(src))))
    fixed = ops.stop_gradient(src)
    found = ops.tensor_scatter_max(first, places, fixed) if largest else ops.tensor_scatter_min(first, places, fixed)
    found = ops.stop_gradient(found)
    if not input.is_floating_point():
        return found
    hit = src == ops.gather_elements(found, dim, index)
    equal = input == found
    kept = ops.logical_and(own, equal)
    zero = ops.zeros(index.shape, input.dtype)
    # torch counts an element's own value wherever it is the extreme, also where it does not take part.
    count = scatter_add(equal.astype(input.dtype), dim, index, ops.stop_gradient(hit.astype(input.dtype)))
    # The differences are zero in value and carry the gradients.
    rest = ops.where(kept, input - ops.stop_gradient(input), ops.zeros_like(input))
    rest = scatter_add(rest, dim, index, ops.where(hit, src - ops.stop_gradient(src), zero))
    safe = ops.where(ops.isfinite(found), rest, ops.zeros_like(rest))
    result = found + safe / ops.maximum(count, 1)
    return ops.where(touched, result, input)


def _scattered(input, places, src):
    """Where an element's own value does not count, any of those that meet there is a start."""
    return ops.tensor_scatter_update(input, places, src)


@equivalent("torch.scatter_reduce", "torch.Tensor.scatter_reduce")
def scatter_reduce(input, dim, index, src, reduce, *, include_self=True, out=None):
    """A copy in which the elements of `src` that `index` sends to one place are reduced.

    https://docs.pytorch.org/docs/2.13/generated/torch.Tensor.scatter_reduce_.html
    """
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return _reduced(input, dim, index, src, reduce, include_self)


@equivalent("torch.index_reduce", "torch.Tensor.index_reduce")
def index_reduce(input, dim, index, source, reduce, *, include_self=True, out=None):
    """A copy in which the slices of `source` that `index` sends to one place are reduced."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if input.ndim == 0:
        return _reduced(input, 0, index, source, reduce, include_self)
    shape = [1] * input.ndim
    shape[dim] = -1
    places = ops.broadcast_to(index.reshape(tuple(shape)), source.shape)
    return _reduced(input, dim, places, source, reduce, include_self)
