"""torch.masked on dense tensors: what the mask hides counts as the operation's neutral element."""

import math

import mindspore as ms
import numpy as np
from mindspore import Tensor, ops

from mindport.declare import Refused, difference, equivalent
from mindport.equivalents.matrix import vector_norm
from mindport.equivalents.near_zero import log1p_near_zero
from mindport.equivalents.order_statistics import EXPANDED, nanmedian
from mindport.equivalents.reduction import WHOLE_SUM
from mindport.equivalents.running_products import product_with_zeros

SMALL = (ms.uint8, ms.bool_, ms.int8, ms.int16, ms.int32)


def _axes(dim, rank):
    """All axes where none is said."""
    if dim is None or dim == ():
        return tuple(range(rank))
    return (dim,) if isinstance(dim, int) else tuple(dim)


def _filled(x, mask, value):
    """x with `value` where the mask is False."""
    if mask is None:
        return x
    return ops.where(mask.bool(), x, Tensor(value, x.dtype))


def _lowest(x):
    """The neutral element of a maximum; minus it, that of a minimum of floating numbers."""
    if x.is_floating_point():
        return -math.inf
    raise Refused("masked extremes of integers are not supported: write where(mask, x, the limit) before the reduction")


def _whole(x):
    """Whether its extremes are those of whole numbers, which know no NaN."""
    return not x.is_floating_point() and not x.is_complex() and x.dtype != ms.bool_


def _extreme_of_whole(input, mask, dim, keepdim, largest):
    """The extreme of whole numbers; the dtype's other limit of nothing."""
    limits = np.iinfo(ms.dtype_to_nptype(input.dtype))
    x = _filled(input.astype(ms.int64), mask, int(limits.min if largest else limits.max))
    axes = _axes(dim, x.ndim)
    return (ops.amax(x, axes, keepdim) if largest else ops.amin(x, axes, keepdim)).astype(input.dtype)


def _place_of_whole(input, mask, dim, keepdim, largest):
    """The place of the extreme of whole numbers."""
    limits = np.iinfo(ms.dtype_to_nptype(input.dtype))
    x = _filled(input.astype(ms.int64), mask, int(limits.min if largest else limits.max))
    return ops.argmax(x if largest else -1 - x, dim, keepdim)  # -1 - x turns the order around without passing a limit


def _greatest(x, axes, keepdim):
    """The maximum; NaN where there is one, which MindSpore's kernel passes over."""
    found = ops.amax(x, axes, keepdim)
    holes = ops.sum(ops.isnan(x).astype(ms.int32), axes or None, keepdim) > 0
    return ops.where(holes, Tensor(math.nan, x.dtype), found)


def _place(x, dim, keepdim):
    """The place of the maximum; of the first NaN where there is one."""
    holes = ops.isnan(x).astype(ms.float32)
    first, place = ops.argmax(holes, dim, keepdim), ops.argmax(x, dim, keepdim)
    some = holes.sum() if dim is None or x.ndim == 0 else ops.sum(holes, dim, keepdim)
    return ops.where(some > 0, first, place)


def _shares(x, dim):
    """softmax; NaN where every element is -inf, where MindSpore's kernel gives 0."""
    if x.ndim == 0:
        return _shares(x.reshape(1), 0).reshape(())
    grown = ops.exp(x - ops.stop_gradient(ops.amax(x, dim, True)))
    return grown / ops.sum(grown, dim, True)


def _of_nothing(x, axes, keepdim, value):
    """What a reduction of no elements gives; MindSpore's kernels leave it unwritten."""
    hit = tuple(axis % x.ndim for axis in axes)
    shape = tuple(1 if axis in hit else size for axis, size in enumerate(x.shape) if keepdim or axis not in hit)
    return ops.zeros(shape, x.dtype) + Tensor(value, x.dtype)


@equivalent("torch.masked.sum", differs=[WHOLE_SUM])
def masked_sum(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """The sum of what the mask shows."""
    kind = ms.int64 if dtype is None and input.dtype in SMALL else dtype
    x = _filled(input, mask, 0)
    x = x if kind is None else x.astype(kind)
    axes = _axes(dim, input.ndim)
    return ops.sum(x, axes or None, bool(keepdim)) if x.size else _of_nothing(x, axes, keepdim, 0)


@equivalent("torch.masked.prod")
def masked_prod(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """The product of what the mask shows."""
    kind = ms.int64 if dtype is None and input.dtype in SMALL else dtype
    x = _filled(input, mask, 1)
    x = x if kind is None else x.astype(kind)
    if x.size == 0:
        return _of_nothing(x, _axes(dim, input.ndim), keepdim, 1)
    for axis in sorted((d % input.ndim for d in _axes(dim, input.ndim) if input.ndim), reverse=True):
        x = x.prod(axis, bool(keepdim))
    return x


@equivalent("torch.masked.cumsum")
def masked_cumsum(input, dim, *, dtype=None, mask=None):
    """The running sum of what the mask shows, in the input's dtype."""
    x = _filled(input, mask, 0)
    x = x if dtype is None else x.astype(dtype)
    return x if x.ndim == 0 or x.size == 0 else ops.cumsum(x, dim).astype(x.dtype)


@equivalent("torch.masked.cumprod", differs=[difference("the gradient of complex numbers is NaN from a zero on", when="input.is_complex() and (input == 0).any()", risk="loud", zh="复数遇到零时梯度为 NaN")])
def masked_cumprod(input, dim, *, dtype=None, mask=None):
    """The running product of what the mask shows, in the input's dtype."""
    x = _filled(input, mask, 1)
    x = x if dtype is None else x.astype(dtype)
    return x if x.ndim == 0 or x.size == 0 else product_with_zeros(ops.cumprod(x, dim), x, dim).astype(x.dtype)


@equivalent("torch.masked.amax")
def masked_amax(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """The maximum of what the mask shows; -inf of nothing."""
    if _whole(input):
        found = _extreme_of_whole(input, mask, dim, bool(keepdim), True)
        return found if dtype is None else found.astype(dtype)
    found = _greatest(_filled(input, mask, _lowest(input)), _axes(dim, input.ndim), bool(keepdim))
    return found if dtype is None else found.astype(dtype)


@equivalent("torch.masked.amin")
def masked_amin(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """The minimum of what the mask shows; inf of nothing."""
    if _whole(input):
        found = _extreme_of_whole(input, mask, dim, bool(keepdim), False)
        return found if dtype is None else found.astype(dtype)
    found = -_greatest(-_filled(input, mask, -_lowest(input)), _axes(dim, input.ndim), bool(keepdim))
    return found if dtype is None else found.astype(dtype)


@equivalent("torch.masked.argmax")
def masked_argmax(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """The place of the maximum of what the mask shows, in the input's dtype, as in torch."""
    if _whole(input):
        return _place_of_whole(input, mask, dim, bool(keepdim), True).astype(input.dtype if dtype is None else dtype)
    x = _filled(input, mask, _lowest(input))
    return _place(x, dim, bool(keepdim)).astype(input.dtype if dtype is None else dtype)


@equivalent("torch.masked.argmin")
def masked_argmin(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """The place of the minimum of what the mask shows, in the input's dtype, as in torch."""
    if _whole(input):
        return _place_of_whole(input, mask, dim, bool(keepdim), False).astype(input.dtype if dtype is None else dtype)
    x = _filled(input, mask, -_lowest(input))
    return _place(-x, dim, bool(keepdim)).astype(input.dtype if dtype is None else dtype)


def _count(input, dim, keepdim, mask, kind):
    ones = ops.ones(input.shape, kind)
    return masked_sum(ones, dim, keepdim=keepdim, mask=mask)


@equivalent("torch.masked.mean", differs=[difference("an empty tensor gives other values, and complex elements that are all masked 0 instead of NaN", when="input.numel() == 0 or input.is_complex()", zh="空张量或复数输入的结果不同")])
def masked_mean(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """The mean of what the mask shows; NaN of nothing."""
    kind = dtype if dtype is not None else input.dtype if input.is_floating_point() or input.is_complex() else ms.float32
    return masked_sum(input, dim, keepdim=keepdim, dtype=kind, mask=mask) / _count(input, dim, keepdim, mask, kind)


@equivalent("torch.masked.median", differs=[EXPANDED])
def masked_median(input, dim=-1, *, keepdim=False, dtype=None, mask=None):
    """The lower median of what the mask shows."""
    kind = dtype if dtype is not None else input.dtype
    x = input if input.is_floating_point() else input.astype(ms.float32)
    return nanmedian(_filled(x, mask, math.nan), dim, bool(keepdim)).values.astype(kind)


@equivalent("torch.masked.norm")
def masked_norm(input, ord=2.0, dim=None, *, keepdim=False, dtype=None, mask=None):
    """The norm of what the mask shows."""
    x = _filled(input, mask, math.inf if ord == -math.inf else 0)
    return vector_norm(x, ord, _axes(dim, input.ndim) or None, bool(keepdim), dtype=dtype)


@equivalent("torch.masked.var", differs=[difference("an empty tensor gives other values, and complex input a real result", when="input.numel() == 0 or input.is_complex()", zh="空张量或复数输入的结果不同")])
def masked_var(input, dim=None, unbiased=None, *, correction=None, keepdim=False, dtype=None, mask=None):
    """The variance of what the mask shows, divided by n - 1 unless told otherwise."""
    lost = correction if correction is not None else 0 if unbiased is False else 1
    kind = dtype if dtype is not None else input.dtype if input.is_floating_point() else ms.float32
    x = input.astype(kind)
    count = _count(x, dim, True, mask, kind)
    centred = x - masked_sum(x, dim, keepdim=True, mask=mask) / count
    total = masked_sum(centred * centred, dim, keepdim=keepdim, mask=mask)
    return total / ops.relu(count.reshape(total.shape) - lost)


@equivalent("torch.masked.std", differs=[difference("an empty tensor gives other values, and complex input a real result", when="input.numel() == 0 or input.is_complex()", zh="空张量或复数输入的结果不同")])
def masked_std(input, dim=None, unbiased=None, *, correction=None, keepdim=False, dtype=None, mask=None):
    """The standard deviation of what the mask shows."""
    return ops.sqrt(masked_var(input, dim, unbiased, correction=correction, keepdim=keepdim, dtype=dtype, mask=mask))


@equivalent("torch.masked.softmax")
def masked_softmax(input, dim, *, dtype=None, mask=None):
    """softmax of what the mask shows, 0 elsewhere."""
    x = _filled(input, mask, _lowest(input))
    return _shares(x if dtype is None else x.astype(dtype), dim)


@equivalent("torch.masked.log_softmax")
def masked_log_softmax(input, dim, *, dtype=None, mask=None):
    """log of softmax of what the mask shows, -inf elsewhere."""
    x = _filled(input, mask, _lowest(input))
    x = x if dtype is None else x.astype(dtype)
    return x - ops.logsumexp(x, dim, True) if x.ndim else ops.log_softmax(x.reshape(1), 0).reshape(())


@equivalent("torch.masked.softmin")
def masked_softmin(input, dim, *, dtype=None, mask=None):
    """softmax of -x of what the mask shows, 0 elsewhere."""
    x = _filled(input, mask, -_lowest(input))
    return _shares(-x if dtype is None else -x.astype(dtype), dim)


@equivalent("torch.masked.normalize", differs=[difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(input).all()", zh="输入含 NaN 或无穷时结果不同")])
def masked_normalize(input, ord, dim, *, eps=1e-12, dtype=None, mask=None):
    """What the mask shows divided by its norm along an axis, 0 elsewhere."""
    norm = masked_norm(input, ord, dim, keepdim=True, dtype=dtype, mask=mask)
    return _filled(input, mask, 0) / ops.maximum(norm, Tensor(eps, norm.dtype))


@equivalent("torch.masked.logsumexp", differs=[difference("an empty tensor gives a large negative number instead of -inf", when="input.numel() == 0", zh="空张量的结果不同")])
def masked_logsumexp(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """log(sum(exp(x))) of what the mask shows."""
    if input.is_complex():
        raise Refused("complex tensors are not supported: write the sum of exp() of what the mask shows, and its log")
    lowest = -math.inf
    if not input.is_floating_point():  # summed as fractions, and cut again, as in torch
        if _whole(input):  # what is hidden counts as the dtype's limit, which of uint8 is 0
            lowest = float(np.iinfo(ms.dtype_to_nptype(input.dtype)).min)
        input, dtype = input.float(), input.dtype if dtype is None else dtype
    x, axes = _filled(input, mask, lowest), _axes(dim, input.ndim) or None
    high = ops.stop_gradient(ops.amax(x, axes or (), True))
    high = ops.where(ops.isfinite(high), high, ops.zeros_like(high))
    found = ops.log(ops.sum(ops.exp(x - high), axes, bool(keepdim)))
    found = found + high.reshape(found.shape)
    return found if dtype is None else found.astype(dtype)


@equivalent("torch.masked.logaddexp", differs=[difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(input).all()", zh="输入含 NaN 或无穷时结果不同")])
def masked_logaddexp(input, other, *, dtype=None, input_mask=None, other_mask=None):
    """log(exp(x) + exp(y)) of what the masks show."""
    x, y = _filled(input, input_mask, _lowest(input)), _filled(other, other_mask, _lowest(other))
    high, low = ops.maximum(x, y), ops.minimum(x, y)
    gap = ops.where(ops.isinf(high), ops.zeros_like(high), low - high)
    found = ops.where(ops.isinf(high), high, high + log1p_near_zero(ops.exp(gap)))
    return found.astype(input.dtype if dtype is None else dtype)
