"""Pooling functions. MindSpore's default stride is 1 where torch's is the window's size."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, ops

from mindport.declare import difference, equivalent
from mindport.equivalents.python_data import seen_axes

NAN_PLACES = difference("with return_indices, NaN is not found as the largest value", when="return_indices and ms.isnan(input).any()", zh="return_indices 时 NaN 不被视为最大值")
PLANES = difference("an input without the batch axis raises", when="not seen_axes(input, 3) and input.ndim == 3", risk="loud", zh="输入缺少批次维会报错")
VOLUMES = difference("an input without the batch axis raises", when="not seen_axes(input, 4) and input.ndim == 4", risk="loud", zh="输入缺少批次维会报错")


def of_one(found):
    """What was computed of one alone, without the batch axis."""
    return tuple([part.squeeze(0) for part in found]) if isinstance(found, tuple) else found.squeeze(0)


@equivalent("torch.nn.functional.max_pool2d", "torch.max_pool2d", opinfo="nn.functional.max_pool2d", differs=[PLANES, difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(input).all()", zh="输入含 NaN 或无穷时结果不同")])
def max_pool2d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """The largest value of each window of (N, C, H, W).

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.max_pool2d.html
    """
    if seen_axes(input, 3):
        return of_one(max_pool2d(input.expand_dims(0), kernel_size, stride, padding, dilation, ceil_mode, return_indices))
    return ops.max_pool2d(
        input, kernel_size, stride, padding=padding, dilation=dilation, return_indices=return_indices, ceil_mode=ceil_mode
    )


@equivalent("torch.nn.functional.max_pool1d", "torch.max_pool1d", opinfo="nn.functional.max_pool1d", differs=[difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(input).all()", zh="输入含 NaN 或无穷时结果不同")])
def max_pool1d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """The largest value of each window of (N, C, L), or of (C, L)."""
    if input.ndim == 2:
        found = max_pool1d(input.expand_dims(0), kernel_size, stride, padding, dilation, ceil_mode, return_indices)
        return (found[0].squeeze(0), found[1].squeeze(0)) if return_indices else found.squeeze(0)
    kernel, step, pad, gap = (v[0] if isinstance(v, (tuple, list)) and v else v for v in (kernel_size, stride, padding, dilation))
    step = kernel if step is None or step == () or step == [] else step
    result = ops.max_pool2d(
        input.expand_dims(-2), (1, kernel), (1, step), padding=(0, pad), dilation=(1, gap),
        return_indices=return_indices, ceil_mode=ceil_mode,
    )
    return (result[0].squeeze(-2), result[1].squeeze(-2)) if return_indices else result.squeeze(-2)


@equivalent("torch.nn.functional.max_pool3d", "torch.max_pool3d", opinfo="nn.functional.max_pool3d", differs=[VOLUMES, difference("integers are computed in another dtype", when="not input.is_floating_point()", zh="整数以其他类型计算")])
def max_pool3d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """The largest value of each window of (N, C, D, H, W)."""
    if seen_axes(input, 4):
        return of_one(max_pool3d(input.expand_dims(0), kernel_size, stride, padding, dilation, ceil_mode, return_indices))
    return ops.max_pool3d(
        input, kernel_size, stride, padding=padding, dilation=dilation, ceil_mode=ceil_mode, return_indices=return_indices
    )


def _both_sides(padding, rank):
    """(p, q) → (p, p, q, q): MindSpore names both sides of each axis."""
    each = (padding,) * rank if isinstance(padding, int) else tuple(padding) * (rank if len(padding) == 1 else 1)
    doubled = [(p, p) for p in each]  # the compiler of graph mode knows no comprehension with two loops
    return sum(doubled, ())


def _size(kernel_size, rank):
    each = (kernel_size,) * rank if isinstance(kernel_size, int) else tuple(kernel_size) * (rank if len(kernel_size) == 1 else 1)
    return each


def _fitting(input, kernel, stride, padding):
    """The input with zeros around it, so that the windows of ceil_mode are whole; none begins behind the padding."""
    around = ()
    for length, size, step, pad in zip(input.shape[-len(kernel) :], kernel, stride, padding):
        windows = -(-(length + 2 * pad - size) // step) + 1
        if (windows - 1) * step >= length + pad:
            windows -= 1
        around = (pad, max((windows - 1) * step + size - length - pad, 0)) + around
    return ops.pad(input, around) if sum(around) > 0 else input


@equivalent("torch.nn.functional.avg_pool2d", differs=[PLANES, difference("float64 is computed with the accuracy of float32", when="input.dtype == ms.float64", zh="float64 只有 float32 的精度")])
def avg_pool2d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None):
    """The mean of each window of (N, C, H, W).

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.avg_pool2d.html
    The gradient of `ops.avg_pool2d` ignores divisor_override on CPU, so it is a factor here.
    """
    if seen_axes(input, 3):
        return of_one(avg_pool2d(input.expand_dims(0), kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override))
    if stride is None:
        stride = kernel_size
    if divisor_override is None and isinstance(padding, int):
        return ops.avg_pool2d(input, kernel_size, stride, padding=padding, ceil_mode=ceil_mode, count_include_pad=count_include_pad)
    stride = kernel_size if stride in ((), []) else stride
    if divisor_override is not None and ceil_mode:
        input, padding, ceil_mode = _fitting(input, _size(kernel_size, 2), _size(stride, 2), _size(padding, 2)), 0, False
    included = count_include_pad if divisor_override is None else True
    rows, columns = _size(kernel_size, 2)
    mean = ops.avg_pool2d(
        input, (rows, columns), stride, padding=_both_sides(padding, 2), ceil_mode=ceil_mode, count_include_pad=included
    )
    return mean if divisor_override is None else mean * (rows * columns / divisor_override)


@equivalent("torch.nn.functional.avg_pool1d", "torch.avg_pool1d", opinfo="nn.functional.avg_pool1d", differs=[difference("float64 is computed with the accuracy of float32", when="input.dtype == ms.float64", zh="float64 只有 float32 的精度")])
def avg_pool1d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
    """The mean of each window of (N, C, L)."""
    (kernel,), (pad,) = _size(kernel_size, 1), _size(padding, 1)
    (step,) = _size(stride, 1) if stride not in (None, (), []) else (kernel,)
    batched = input if input.ndim == 3 else input.expand_dims(0)
    result = ops.avg_pool2d(
        batched.expand_dims(-2), (1, kernel), (1, step), padding=(0, 0, pad, pad), ceil_mode=ceil_mode, count_include_pad=count_include_pad
    ).squeeze(-2)
    return result if input.ndim == 3 else result[0]


@equivalent("torch.nn.functional.avg_pool3d", differs=[difference("float64 is computed with the accuracy of float32", when="input.dtype == ms.float64", zh="float64 只有 float32 的精度")])
def avg_pool3d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None):
    """The mean of each window of (N, C, D, H, W)."""
    if seen_axes(input, 4):
        return of_one(avg_pool3d(input.expand_dims(0), kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override))
    kernel = _size(kernel_size, 3)
    stride = kernel if stride in (None, (), []) else stride
    if divisor_override is not None and ceil_mode:
        input, padding, ceil_mode = _fitting(input, kernel, _size(stride, 3), _size(padding, 3)), 0, False
    included = count_include_pad if divisor_override is None else True
    mean = ops.avg_pool3d(input, kernel, stride, padding=_both_sides(padding, 3), ceil_mode=ceil_mode, count_include_pad=included)
    return mean if divisor_override is None else mean * (kernel[0] * kernel[1] * kernel[2] / divisor_override)


def _windows(length, count):
    """The bounds of the windows that tile an axis: start ⌊i·n/k⌋, end ⌈(i+1)·n/k⌉."""
    return [(i * length // count, -((-(i + 1) * length) // count)) for i in range(count)]


def _reduce_windows(x, axis, count, reduce):
    bounds = _windows(x.shape[axis], count)
    before = (slice(None),) * axis
    return ops.stack([reduce(x[(*before, slice(start, end))], axis) for start, end in bounds], axis=axis)


@equivalent("torch.nn.functional.adaptive_avg_pool2d")
def adaptive_avg_pool2d(input, output_size):
    """The mean over windows that tile the last two axes.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.adaptive_avg_pool2d.html
    """
    if output_size in (1, (1, 1)):
        return ops.mean(input, (-2, -1), keep_dims=True)
    return ops.adaptive_avg_pool2d(input, output_size)


@equivalent("torch.nn.functional.adaptive_avg_pool1d", "torch.adaptive_avg_pool1d", opinfo="nn.functional.adaptive_avg_pool1d")
def adaptive_avg_pool1d(input, output_size):
    """The mean over windows that tile the last axis."""
    count = output_size[0] if isinstance(output_size, (tuple, list)) else output_size
    return _reduce_windows(input, input.ndim - 1, count, lambda part, axis: ops.mean(part, axis))


@equivalent("torch.nn.functional.adaptive_avg_pool3d")
def adaptive_avg_pool3d(input, output_size):
    """The mean over windows that tile the last three axes."""
    sizes = (output_size,) * 3 if isinstance(output_size, int) else tuple(output_size)
    for place, count in enumerate(sizes):
        axis = input.ndim - 3 + place
        if count is not None:
            input = _reduce_windows(input, axis, count, lambda part, axis: ops.mean(part, axis))
    return input


def _adaptive_max(input, output_size, rank):
    """Last axis first: of equal elements the first in a window gets the gradient."""
    sizes = (output_size,) * rank if isinstance(output_size, int) else tuple(output_size)
    for place, count in reversed(list(enumerate(sizes))):
        if count is not None:
            input = _reduce_windows(input, input.ndim - rank + place, count, lambda part, axis: ops.max(part, axis)[0])
    return input


def _adaptive_max_places(input, output_size, rank):
    """The largest values and their int64 places in the flattened axes behind the channel."""
    sizes = (output_size,) * rank if isinstance(output_size, int) else tuple(output_size)
    lengths, lead = tuple(input.shape[-rank:]), tuple(input.shape[:-rank])
    wanted = tuple(n if count is None else count for n, count in zip(lengths, sizes))
    flat = np.zeros((1,) * (2 * rank), np.int64)
    for axis, (length, count) in enumerate(zip(lengths, wanted)):
        starts = [i * length // count for i in range(count)]
        ends = [-(-(i + 1) * length // count) for i in range(count)]
        longest = max(end - start for start, end in zip(starts, ends))
        places = [[start + k if start + k < end else start for k in range(longest)] for start, end in zip(starts, ends)]
        shape = [1] * (2 * rank)
        shape[axis], shape[rank + axis] = count, longest
        flat = flat * length + np.array(places, np.int64).reshape(shape)
    flat = Tensor(np.ascontiguousarray(flat.reshape(int(np.prod(wanted)), -1)))
    best, first = ops.max(ops.gather(input.reshape(lead + (-1,)), flat, len(lead)), axis=-1)
    places = ops.gather_elements(ops.broadcast_to(flat, (*lead, *flat.shape)), len(lead) + 1, first.astype(ms.int64).unsqueeze(-1))
    return best.reshape(lead + wanted), places.reshape(lead + wanted)


@equivalent("torch.nn.functional.adaptive_max_pool1d", differs=[NAN_PLACES])
def adaptive_max_pool1d(input, output_size, return_indices=False):
    """The largest value over windows that tile the last axis."""
    if return_indices:
        return _adaptive_max_places(input, output_size, 1)
    return _adaptive_max(input, output_size, 1)


@equivalent("torch.nn.functional.adaptive_max_pool2d", differs=[NAN_PLACES])
def adaptive_max_pool2d(input, output_size, return_indices=False):
    """The largest value over windows that tile the last two axes."""
    if return_indices:
        return _adaptive_max_places(input, output_size, 2)
    return _adaptive_max(input, output_size, 2)


@equivalent("torch.nn.functional.adaptive_max_pool3d", differs=[NAN_PLACES])
def adaptive_max_pool3d(input, output_size, return_indices=False):
    """The largest value over windows that tile the last three axes."""
    if return_indices:
        return _adaptive_max_places(input, output_size, 3)
    return _adaptive_max(input, output_size, 3)
