"""Standard deviation, variance, median and quantiles.

torch divides by n - 1 unless told otherwise, MindSpore by n: the divisor is always written out.
"""

import math

import mindspore as ms
from mindspore import Tensor, ops

from mindport.declare import Refused, difference, equivalent
from mindport.equivalents.exact_numbers import exact
from mindport.equivalents.order_statistics import EXPANDED, shared
from mindport.equivalents.sorting import EQUAL_PLACES, in_order
from mindport.equivalents.values_indices import ValuesIndices

#: Their squares overflow: torch, too, adds them up in float32.
SHORT = (ms.float16, ms.bfloat16)


def _rescaled(x, dim, correction):
    """n / (n - correction) for the n elements over the axes."""
    axes = range(x.ndim) if dim is None or dim == () else (dim,) if isinstance(dim, int) else dim
    count = math.prod(x.shape[d] for d in axes)
    return count / (count - correction) if count > correction else math.inf


@equivalent("torch.var", "torch.Tensor.var", differs=[difference("an empty tensor gives unspecified values", when="input.numel() == 0", zh="空张量的结果不确定")])
def var(input, dim=None, unbiased=True, keepdim=False, *, correction=1, out=None):
    """The variance over axes, divided by n - correction. https://docs.pytorch.org/docs/2.13/generated/torch.var.html

    The gradient of `ops.var` is NaN where all elements are equal.
    """
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    if not unbiased or correction is None:
        correction = 1 if unbiased else 0
    axes = tuple(range(input.ndim)) if dim is None or dim == () else dim
    if input.is_complex():
        return var(ops.real(input), axes, keepdim=keepdim, correction=correction) + var(ops.imag(input), axes, keepdim=keepdim, correction=correction)
    if input.dtype in SHORT:
        return var(input.astype(ms.float32), axes, keepdim=keepdim, correction=correction).astype(input.dtype)
    centred = input - ops.mean(input, axes, keep_dims=True)
    centred = centred - ops.mean(centred, axes, keep_dims=True)  # what the mean itself lost: 3 % of it is left of 1e6 in float32
    return ops.mean(ops.square(centred), axes, keep_dims=keepdim) * exact(_rescaled(input, axes, correction), input)


@equivalent("torch.std", "torch.Tensor.std", differs=[difference("an empty tensor gives unspecified values", when="input.numel() == 0", zh="空张量的结果不确定")])
def std(input, dim=None, unbiased=True, keepdim=False, *, correction=1, out=None):
    """The square root of the variance; its gradient is 0 where that is 0. https://docs.pytorch.org/docs/2.13/generated/torch.std.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if input.dtype in SHORT:  # the variance may be infinite where its root is not
        return std(input.astype(ms.float32), dim, unbiased, keepdim, correction=correction).astype(input.dtype)
    spread = var(input, dim, unbiased, keepdim, correction=correction)
    zero = spread == 0
    return ops.where(zero, spread, ops.sqrt(ops.where(zero, ops.ones_like(spread), spread)))


@equivalent("torch.var_mean", differs=[difference("an empty tensor gives unspecified values", when="input.numel() == 0", zh="空张量的结果不确定")])
def var_mean(input, dim=None, unbiased=True, keepdim=False, *, correction=1):
    """The variance and the mean over axes."""
    return var(input, dim, unbiased, keepdim, correction=correction), ops.mean(
        input, None if isinstance(dim, bool) else dim, keep_dims=keepdim
    )


@equivalent("torch.std_mean", differs=[difference("an empty tensor gives unspecified values", when="input.numel() == 0", zh="空张量的结果不确定")])
def std_mean(input, dim=None, unbiased=True, keepdim=False, *, correction=1):
    """The standard deviation and the mean over axes."""
    return std(input, dim, unbiased, keepdim, correction=correction), ops.mean(
        input, None if isinstance(dim, bool) else dim, keep_dims=keepdim
    )


@equivalent("torch.median", "torch.Tensor.median", differs=[difference("an empty tensor gives unspecified values", when="input.numel() == 0", zh="空张量的结果不确定"), EXPANDED])
def median(input, dim=None, keepdim=False, *, out=None):
    """The lower median of all elements, or over one axis with its position.

    https://docs.pytorch.org/docs/2.13/generated/torch.median.html
    """
    if out is not None:
        raise Refused("out= is not supported: use the returned tensors")
    if not input.is_floating_point() or input.size == 0:
        return ops.median(input, dim, keepdim) if dim is not None else ops.median(input.reshape(-1))[0]
    if dim is None:
        return shared(_middle(input.reshape(-1), 0)[0].squeeze(0), input)
    value, place = _middle(input.reshape(-1) if input.ndim == 0 else input, dim)
    if keepdim and input.ndim:
        return ValuesIndices(value, place)
    return ValuesIndices(value.squeeze(dim), place.squeeze(dim))


def _middle(input, dim):
    """The lower median over an axis and its place, NaN and the first one's where there is one.

    `ops.median` takes numbers for equal that are closer than float32's epsilon, and ends the process where a dozen are (MindSpore 2.10, CPU).
    """
    holes, place = ops.isnan(input), in_order(input, dim)[1].narrow(dim, (input.shape[dim] - 1) // 2, 1)
    first = ops.argmax(holes.astype(ms.float32), dim, True)
    place = ops.where(holes.any(dim).unsqueeze(dim), first.astype(ms.int64), place.astype(ms.int64))
    return ops.gather_elements(input, dim, place), place


@equivalent(
    "torch.kthvalue", "torch.Tensor.kthvalue",
    differs=[difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(input).all()", zh="输入含 NaN 或无穷时结果不同"), EQUAL_PLACES],
)  # fmt: skip
def kthvalue(input, k, dim=-1, keepdim=False, *, out=None):
    """The k-th smallest element over an axis and its int64 position."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensors")
    if input.ndim == 0:
        return ValuesIndices(input, ops.zeros_like(input, dtype=ms.int64))
    values, indices = in_order(input, dim)
    values, indices = values.narrow(dim, k - 1, 1), indices.narrow(dim, k - 1, 1).astype(ms.int64)
    if keepdim:
        return ValuesIndices(values, indices)
    return ValuesIndices(values.squeeze(dim), indices.squeeze(dim))


@equivalent("torch.quantile", "torch.Tensor.quantile", differs=[difference("a tensor of quantiles that wants its gradient gets none", when="isinstance(q, Tensor) and q.requires_grad", zh="作为张量的分位数得不到梯度")])
def quantile(input, q, dim=None, keepdim=False, *, interpolation="linear", out=None):
    """The q-th quantiles over one axis or all, interpolated between neighbours.

    A tensor q puts its axis first. https://docs.pytorch.org/docs/2.13/generated/torch.quantile.html
    """
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    rank = input.ndim
    x = input.reshape(-1) if dim is None or rank == 0 else input.moveaxis(dim, -1)
    ordered = in_order(x, -1)[0]
    holes = ops.isnan(x).any(-1)
    found = []
    for share in q.reshape(-1).tolist() if isinstance(q, Tensor) else [q]:
        place = share * (x.shape[-1] - 1)
        low, high = math.floor(place), math.ceil(place)
        if interpolation == "lower":
            high = low
        elif interpolation == "higher":
            low = high
        elif interpolation == "nearest":
            low = high = math.floor(place) if place % 1 < 0.5 or (place % 1 == 0.5 and low % 2 == 0) else high
        weight = 0.5 if interpolation == "midpoint" else place - low
        one = ordered[..., low] + (ordered[..., high] - ordered[..., low]) * exact(weight, input)
        one = ops.where(holes, ms.tensor(math.nan, dtype=input.dtype), one)
        if keepdim:
            one = one.reshape((1,) * rank) if dim is None or rank == 0 else one.unsqueeze(dim)
        found.append(one)
    if isinstance(q, Tensor) and q.ndim > 0:
        return ops.stack(found)
    return found[0]
