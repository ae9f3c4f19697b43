"""Max pooling over windows whose places are drawn (Graham, Fractional Max-Pooling)."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, ops

from mindport.declare import Refused, difference, equivalent

NAN = difference("NaN in a window is lost on CPU", when="ms.isnan(input).any()", zh="窗口中的 NaN 会丢失")


def _starts(sample, length, count, window):
    """Where the windows along one axis begin: int64 of sample's shape + (count,)."""
    if count == 1:
        return np.full((*sample.shape, 1), length - window, np.int64)
    alpha = np.float32(length - window) / np.float32(count - 1)
    steps = np.arange(count, dtype=np.float32)
    found = np.trunc((steps + sample[..., None]) * alpha) - np.trunc(sample[..., None] * alpha)
    found[..., -1] = length - window
    return found.astype(np.int64)


def _pooled(input, kernel_size, output_size, output_ratio, return_indices, samples, rank):
    if (output_size is None) == (output_ratio is None):
        raise Refused("give either output_size or output_ratio")
    x = input if input.ndim == rank + 2 else input.unsqueeze(0)
    lengths = x.shape[2:]
    window = (kernel_size,) * rank if isinstance(kernel_size, int) else tuple(kernel_size)
    if output_size is None:
        ratio = (output_ratio,) * rank if isinstance(output_ratio, float) else tuple(output_ratio)
        wanted = tuple(int(n * r) for n, r in zip(lengths, ratio))
    else:
        wanted = (output_size,) * rank if isinstance(output_size, int) else tuple(output_size)
    drawn = (ops.rand((x.shape[0], x.shape[1], rank)) if samples is None else samples).asnumpy()
    drawn = np.ascontiguousarray(drawn[..., ::-1] if rank == 2 else drawn).astype(np.float32)
    lead = drawn.shape[:2]
    flat = np.zeros((*lead, *(1,) * (2 * rank)), np.int64)
    for axis in range(rank):
        starts = _starts(drawn[..., axis], lengths[axis], wanted[axis], window[axis])
        places = starts[..., None] + np.arange(window[axis])
        shape = [1] * (2 * rank)
        shape[axis], shape[rank + axis] = wanted[axis], window[axis]
        flat = flat * lengths[axis] + places.reshape(*lead, *shape)
    flat = Tensor(flat.reshape(*lead, int(np.prod(wanted)), int(np.prod(window))))
    values = ops.gather_elements(x.reshape(lead + (-1,)), 2, flat.reshape(lead + (-1,))).reshape(flat.shape)
    best, chosen = ops.max(values, axis=3)
    result = best.reshape(lead + wanted)
    result = result if input.ndim == rank + 2 else result.squeeze(0)
    if not return_indices:
        return result
    where = ops.gather_elements(flat, 3, chosen.astype(ms.int64).unsqueeze(3)).reshape(lead + wanted)
    return result, where if input.ndim == rank + 2 else where.squeeze(0)


@equivalent("torch.nn.functional.fractional_max_pool2d", differs=[NAN])
def fractional_max_pool2d(input, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None):
    """The maxima of windows at drawn places. https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.fractional_max_pool2d.html"""
    return _pooled(input, kernel_size, output_size, output_ratio, return_indices, _random_samples, 2)


@equivalent("torch.nn.functional.fractional_max_pool3d", differs=[NAN])
def fractional_max_pool3d(input, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None):
    """The maxima of windows at drawn places. https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.fractional_max_pool3d.html"""
    return _pooled(input, kernel_size, output_size, output_ratio, return_indices, _random_samples, 3)
