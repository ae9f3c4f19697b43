"""Running sums, products and extremes along an axis, and differences."""

import mindspore as ms
from mindspore import ops

from mindport.declare import Refused, difference, equivalent
from mindport.equivalents.running_products import product_with_zeros
from mindport.equivalents.shape import narrow
from mindport.equivalents.values_indices import ValuesIndices

#: Up to so many numbers the roundings of float32 stay below its tolerance.
ROUNDED = 100


def added_in(kind, count):
    """The dtype that `count` numbers are added up in, as torch does: in float16 256 and 0.1 are 256, and 300,000 times 0.1 are 29,920 in float32."""
    if kind in (ms.float16, ms.bfloat16):
        return ms.float32
    if kind == ms.float32 and count > ROUNDED:
        return ms.float64
    return kind


@equivalent("torch.cumsum", "torch.Tensor.cumsum")
def cumsum(input, dim, *, dtype=None, out=None):
    """The running sum along an axis; int64 for integers and booleans.

    https://docs.pytorch.org/docs/2.13/generated/torch.cumsum.html. MindSpore keeps int32 and has no boolean sum.
    """
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if dtype is None and not input.is_floating_point() and not input.is_complex():
        dtype = ms.int64
    if input.ndim == 0:
        return input if dtype is None else input.astype(dtype)
    kind = input.dtype if dtype is None else dtype
    wide = added_in(kind, input.shape[dim])
    if wide != kind:
        return ops.cumsum(input.astype(kind).astype(wide), dim).astype(kind)
    return ops.cumsum(input, dim, dtype)


@equivalent("torch.cumprod", "torch.Tensor.cumprod", differs=[difference("the gradient of complex numbers is NaN from a zero on", when="input.is_complex() and (input == 0).any()", risk="loud", zh="复数遇到零时梯度为 NaN")])
def cumprod(input, dim, *, dtype=None, out=None):
    """The running product along an axis; int64 for integers. https://docs.pytorch.org/docs/2.13/generated/torch.cumprod.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if input.ndim == 0:
        return cumsum(input, dim, dtype=dtype)
    if dtype is None and not input.is_floating_point() and not input.is_complex():
        dtype = ms.int64
    return product_with_zeros(ops.cumprod(input, dim, dtype), input if dtype is None else input.astype(dtype), dim)


@equivalent("torch.logcumsumexp", "torch.Tensor.logcumsumexp", differs=[difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(input).all()", zh="输入含 NaN 或无穷时结果不同")])
def logcumsumexp(input, dim, *, out=None):
    """log of the running sum of exp(x) along an axis."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if input.ndim == 0:
        return input
    return ops.logcumsumexp(input, dim)


@equivalent("torch.cummax", "torch.Tensor.cummax")
def cummax(input, dim, *, out=None):
    """The running maximum along an axis and its int64 positions, from which the values are taken: `ops.cummax` has no gradient on CPU."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensors")
    if input.ndim == 0:
        return ValuesIndices(input, ops.zeros_like(input, dtype=ms.int64))
    indices = ops.cummax(ops.stop_gradient(input), dim)[1].astype(ms.int64)
    return ValuesIndices(ops.gather_elements(input, dim, indices), indices)


@equivalent("torch.cummin", "torch.Tensor.cummin")
def cummin(input, dim, *, out=None):
    """The running minimum along an axis and its int64 positions (`ops.cummin` counts in int32)."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensors")
    if input.ndim == 0:
        return ValuesIndices(input, ops.zeros_like(input, dtype=ms.int64))
    indices = ops.cummin(ops.stop_gradient(input), dim)[1].astype(ms.int64)
    return ValuesIndices(ops.gather_elements(input, dim, indices), indices)


@equivalent("torch.diff", "torch.Tensor.diff")
def diff(input, n=1, dim=-1, prepend=None, append=None, *, out=None):
    """The n-th differences of neighbours along an axis. https://docs.pytorch.org/docs/2.13/generated/torch.diff.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if n == 0:
        return input
    parts = [part for part in (prepend, input, append) if part is not None]
    x = parts[0] if len(parts) == 1 else ops.cat(parts, axis=dim)
    for _ in range(n):
        count = x.shape[dim]
        if count <= 1:
            return narrow(x, dim, 0, 0)
        late, early = narrow(x, dim, 1, count - 1), narrow(x, dim, 0, count - 1)  # Tensor.narrow has no gradient of complex numbers on CPU
        x = ops.logical_xor(late, early) if x.dtype == ms.bool_ else late - early
    return x
