"""Reductions: sums, means, extremes and logic over axes. Spread is in `spread.py`, running sums in `cumulative.py`."""

import mindspore as ms
from mindspore import Tensor, ops

from mindport.declare import Refused, difference, equivalent
from mindport.equivalents.python_data import seen_dtype

NAN = difference("NaN that is not the first (of its row, or of all) is lost on CPU", when="input.is_floating_point() and ms.isnan(input).any()", zh="不在行首的 NaN 会丢失")
SELF_NAN = difference("NaN that is not the first (of its row, or of all) is lost on CPU", when="self.is_floating_point() and ms.isnan(self).any()", zh="不在行首的 NaN 会丢失")
PAIRED_NAN = difference("NaN is lost where it is not the first (of its row, or of all), and where the first tensor holds it on CPU", when="input.is_floating_point() and ms.isnan(input).any() or isinstance(dim, Tensor) and ms.isnan(dim).any() or isinstance(other, Tensor) and ms.isnan(other).any()", zh="不在行首的 NaN 会丢失")
POSITION_NAN = difference("the position of NaN is not found on CPU where it is not the first", when="input.is_floating_point() and ms.isnan(input).any()", zh="找不到不在首位的 NaN 的位置")
SELF_POSITION_NAN = difference("the position of NaN is not found on CPU where it is not the first", when="self.is_floating_point() and ms.isnan(self).any()", zh="找不到不在首位的 NaN 的位置")
BYTE = difference("of uint8 the result is bool, torch's is uint8", when="input.dtype == ms.uint8", risk="style", zh="uint8 输入得到布尔结果")
SELF_BYTE = difference("of uint8 the result is bool, torch's is uint8", when="self.dtype == ms.uint8", risk="style", zh="uint8 输入得到布尔结果")
INFINITE = difference("infinity in the input gives NaN", when="input.is_floating_point() and ms.isinf(input).any()", zh="输入含无穷时结果为 NaN")
SELF_INFINITE = difference("infinity in the input gives NaN", when="self.is_floating_point() and ms.isinf(self).any()", zh="输入含无穷时结果为 NaN")
WHOLE_SUM = difference("whole numbers whose sum passes 2**53 are rounded on CPU", when="input.dtype == ms.int64 and input.double().abs().sum() > 2**53", zh="和超过 2**53 的整数会被舍入")
SELF_WHOLE_SUM = difference("whole numbers whose sum passes 2**53 are rounded on CPU", when="self.dtype == ms.int64 and self.double().abs().sum() > 2**53", zh="和超过 2**53 的整数会被舍入")
EMPTY = difference("an empty tensor gives unspecified values", when="input.numel() == 0", zh="空张量的结果不确定")
SELF_EMPTY = difference("an empty tensor gives unspecified values", when="self.numel() == 0", zh="空张量的结果不确定")


@equivalent("torch.sum", differs=[EMPTY, WHOLE_SUM])
def torch_sum(input, dim=None, keepdim=False, *, dtype=None, out=None):
    """The sum over axes; int64 for integers and booleans. https://docs.pytorch.org/docs/2.13/generated/torch.sum.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.sum(input, dim, keepdim, dtype=dtype)


@equivalent("torch.Tensor.sum", differs=[SELF_EMPTY, SELF_WHOLE_SUM])
def tensor_sum(self, dim=None, keepdim=False, *, dtype=None):
    """The sum over axes; int64 for integers and booleans."""
    return self.sum(dim, keepdim, dtype=dtype)


@equivalent("torch.nansum", "torch.Tensor.nansum", differs=[EMPTY, WHOLE_SUM])
def nansum(input, dim=None, keepdim=False, *, dtype=None, out=None):
    """The sum over axes with NaN counted as 0."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if not input.is_floating_point() and not input.is_complex():
        return ops.sum(input, dim, keepdim, dtype=dtype)  # `ops.nansum` adds uint8 up in uint8
    return ops.nansum(input, dim, keepdim, dtype=dtype)


@equivalent("torch.mean", differs=[EMPTY])
def mean(input, dim=None, keepdim=False, *, dtype=None, out=None):
    """The mean over axes of a floating tensor. https://docs.pytorch.org/docs/2.13/generated/torch.mean.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if dtype is not None:
        return input.mean(dim, keepdim, dtype=dtype)
    return ops.mean(input, dim, keep_dims=keepdim)


@equivalent("torch.Tensor.mean", differs=[SELF_EMPTY])
def tensor_mean(self, dim=None, keepdim=False, *, dtype=None):
    """The mean over axes of a floating tensor."""
    return self.mean(dim, keepdim, dtype=dtype)


@equivalent("torch.nanmean", "torch.Tensor.nanmean", differs=[EMPTY])
def nanmean(input, dim=None, keepdim=False, *, dtype=None, out=None):
    """The mean over axes of the elements that are not NaN; `ops.nanmean` fails while gradients are recorded."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    x = input if dtype is None else input.astype(dtype)
    holes = ops.isnan(x)
    return ops.sum(ops.where(holes, 0.0, x), dim, keepdim) / ops.logical_not(holes).sum(dim, keepdims=keepdim)


@equivalent("torch.prod", differs=[EMPTY])
def prod(input, dim=None, keepdim=False, *, dtype=None, out=None):
    """The product over one axis or all; int64 for integers. https://docs.pytorch.org/docs/2.13/generated/torch.prod.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return input.prod(dim, keepdim, dtype=dtype)


@equivalent("torch.Tensor.prod", differs=[SELF_EMPTY])
def tensor_prod(self, dim=None, keepdim=False, *, dtype=None):
    """The product over one axis or all; int64 for integers."""
    return self.prod(dim, keepdim, dtype=dtype)


@equivalent("torch.amax", differs=[NAN])
def amax(input, dim=(), keepdim=False, *, out=None):
    """The maximum over axes; ties share the gradient. https://docs.pytorch.org/docs/2.13/generated/torch.amax.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.amax(input, dim, keepdim)


@equivalent("torch.Tensor.amax", differs=[SELF_NAN])
def tensor_amax(self, dim=(), keepdim=False):
    """The maximum over axes; ties share the gradient."""
    return ops.amax(self, dim, keepdim)


@equivalent("torch.amin", differs=[NAN])
def amin(input, dim=(), keepdim=False, *, out=None):
    """The minimum over axes; ties share the gradient. https://docs.pytorch.org/docs/2.13/generated/torch.amin.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.amin(input, dim, keepdim)


@equivalent("torch.Tensor.amin", differs=[SELF_NAN])
def tensor_amin(self, dim=(), keepdim=False):
    """The minimum over axes; ties share the gradient."""
    return ops.amin(self, dim, keepdim)


@equivalent("torch.aminmax", "torch.Tensor.aminmax", differs=[NAN])
def aminmax(input, *, dim=None, keepdim=False, out=None):
    """The minimum and the maximum over one axis or all."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensors")
    return ops.amin(input, dim, keepdim), ops.amax(input, dim, keepdim)


def extreme_truths(extremes, truths, axis, keepdims):
    """The extremes of truth values over an axis and their places, by numbers: MindSpore's CPU kernel takes no truth values."""
    values, places = extremes(truths.int(), axis, keepdims=keepdims)
    return values.bool(), places


@equivalent("torch.max", "torch.Tensor.max", differs=[PAIRED_NAN])
def torch_max(input, dim=None, keepdim=False, *, other=None, out=None):
    """The maximum; with an axis also its int64 positions; with a second tensor the elementwise maximum.

    https://docs.pytorch.org/docs/2.13/generated/torch.max.html. Without an axis `ops.max` returns a
    tuple; with one `Tensor.max` returns a tuple in PyNative and the values alone in graph mode.
    """
    if out is not None:
        raise Refused("out= is not supported: use the returned tensors")
    if other is not None:
        return ops.maximum(input, other)
    if dim is None:
        if seen_dtype(input, ms.bool_):
            return input.any()
        return input.max()
    if isinstance(dim, Tensor):
        return ops.maximum(input, dim)
    if seen_dtype(input, ms.bool_):
        return extreme_truths(ops.max, input, dim, keepdim)
    return ops.max(input, dim, keepdims=keepdim)


@equivalent("torch.min", "torch.Tensor.min", differs=[PAIRED_NAN])
def torch_min(input, dim=None, keepdim=False, *, other=None, out=None):
    """The minimum; with an axis also its int64 positions; with a second tensor the elementwise minimum.

    https://docs.pytorch.org/docs/2.13/generated/torch.min.html
    """
    if out is not None:
        raise Refused("out= is not supported: use the returned tensors")
    if other is not None:
        return ops.minimum(input, other)
    if dim is None:
        if seen_dtype(input, ms.bool_):
            return input.all()
        return input.min()
    if isinstance(dim, Tensor):
        return ops.minimum(input, dim)
    if seen_dtype(input, ms.bool_):
        return extreme_truths(ops.min, input, dim, keepdim)
    return ops.min(input, dim, keepdims=keepdim)


@equivalent("torch.argmax", differs=[POSITION_NAN])
def argmax(input, dim=None, keepdim=False):
    """The int64 position of the maximum. https://docs.pytorch.org/docs/2.13/generated/torch.argmax.html"""
    return ops.argmax(input, dim, keepdim)


@equivalent("torch.Tensor.argmax", differs=[SELF_POSITION_NAN])
def tensor_argmax(self, dim=None, keepdim=False):
    """The int64 position of the maximum."""
    return self.argmax(dim, keepdim)


@equivalent("torch.argmin", "torch.Tensor.argmin", differs=[POSITION_NAN])
def argmin(input, dim=None, keepdim=False):
    """The int64 position of the minimum (`ops.argmin` counts in int32).

    https://docs.pytorch.org/docs/2.13/generated/torch.argmin.html
    """
    if dim is None:
        return ops.argmin(input).astype(ms.int64)
    if not keepdim:
        return ops.argmin(input, dim).astype(ms.int64)
    return ops.argmin(input, dim, keepdims=True).astype(ms.int64)


@equivalent("torch.all", differs=[BYTE])
def torch_all(input, dim=None, keepdim=False, *, out=None):
    """True where all elements over the axes are nonzero, also for uint8 (torch: uint8). https://docs.pytorch.org/docs/2.13/generated/torch.all.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.all(input.bool(), dim, keep_dims=keepdim)


@equivalent("torch.Tensor.all", differs=[SELF_BYTE])
def tensor_all(self, dim=None, keepdim=False):
    """True where all elements over the axes are nonzero."""
    return ops.all(self.bool(), dim, keep_dims=keepdim)


def any_over(x, axis, keep_dims):
    """Whether some element over the axes is nonzero, by the contrary of `ops.all`.

    On CPU `ops.any` leaves what it gives unwritten where nothing is reduced, which mostly reads True, and of a tensor that is not
    boolean it looks at the lowest byte only, so that [256, 0] and [1., 2.] count as all zero.
    """
    return ops.logical_not(ops.all(ops.logical_not(x.bool()), axis, keep_dims=keep_dims))


@equivalent("torch.any")
def torch_any(input, dim=None, keepdim=False, *, out=None):
    """True where some element over the axes is nonzero; of bytes 1, a byte. https://docs.pytorch.org/docs/2.13/generated/torch.any.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    found = any_over(input, dim, keepdim)
    return found.astype(ms.uint8) if input.dtype == ms.uint8 else found


@equivalent("torch.Tensor.any")
def tensor_any(self, dim=None, keepdim=False):
    """True where some element over the axes is nonzero; of bytes 1, a byte."""
    return torch_any(self, dim, keepdim)


@equivalent("torch.logsumexp", "torch.special.logsumexp", differs=[INFINITE, EMPTY])
def logsumexp(input, dim, keepdim=False, *, out=None):
    """log(sum(exp(x))) over axes, without overflow. https://docs.pytorch.org/docs/2.13/generated/torch.logsumexp.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.logsumexp(input, dim, keepdim)


@equivalent("torch.Tensor.logsumexp", differs=[SELF_INFINITE, SELF_EMPTY])
def tensor_logsumexp(self, dim, keepdim=False):
    """log(sum(exp(x))) over axes, without overflow."""
    return self.logsumexp(dim, keepdim)


@equivalent("torch.count_nonzero", "torch.Tensor.count_nonzero", differs=[EMPTY])
def count_nonzero(input, dim=None):
    """The int64 number of nonzero elements over axes (`ops.count_nonzero` counts in int32)."""
    return ops.sum(input != 0, dim)
