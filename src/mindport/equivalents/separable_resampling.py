"""Resampling along one axis, by gathering source positions and weighing them.

Positions and weights are computed in NumPy from sizes alone, so they are constants of the graph. They follow
torch's conventions: pixel centres at half-integers unless `align_corners`, and Keys' cubic with a = -0.75
(-0.5 with antialiasing).
"""

import math

import mindspore as ms
import numpy as np
from mindspore import Tensor, ops


def _taken(x, axis, places):
    return ops.index_select(x, axis, Tensor(np.asarray(places, np.int32)))


def nearest(x, axis, new, scale):
    """The element at floor(i * scale); `scale` None means old / new."""
    length = x.shape[axis]
    step = np.float32(length / new if scale is None else scale)
    places = np.minimum(np.floor(np.arange(new, dtype=np.float32) * step), length - 1)
    return _taken(x, axis, places)


def nearest_exact(x, axis, new, scale):
    """The element at floor((i + 1/2) * scale)."""
    length = x.shape[axis]
    step = np.float32(length / new if scale is None else scale)
    places = np.minimum(np.floor((np.arange(new, dtype=np.float32) + np.float32(0.5)) * step), length - 1)
    return _taken(x, axis, places)


def _positions(length, new, scale, align_corners):
    """Where each output element lies among the input's elements."""
    numbers = np.arange(new, dtype=np.float64)
    if align_corners:
        return numbers * ((length - 1) / (new - 1) if new > 1 else 0.0)
    return (numbers + 0.5) * (length / new if scale is None else scale) - 0.5


def _weighed_bytes(x, axis, places, weights):
    """The sum of weights[k] * x[places[k]] along `axis`, rounded and kept between 0 and 255.

    As in torch the weights are whole numbers of 16 bits, of the finest unit that the largest leaves room for.
    """
    most = max(float(np.max(weight)) for weight in weights)
    bits = next(b for b in range(22) if int(0.5 + most * (1 << (b + 1))) >= 1 << 15)
    whole, total = x.astype(ms.int32), 1 << (bits - 1)
    for place, weight in zip(places, weights):
        along = [1] * x.ndim
        along[axis] = -1
        scaled = np.trunc(weight * (1 << bits) + np.copysign(0.5, weight))
        total = total + _taken(whole, axis, place) * Tensor(scaled.astype(np.int32)).reshape(tuple(along))
    return ops.clamp(ops.floor_divide(total, 1 << bits), 0, 255).astype(ms.uint8)


def _weighed(x, axis, places, weights):
    """The sum of weights[k] * x[places[k]] along `axis`."""
    if x.dtype == ms.uint8:
        return _weighed_bytes(x, axis, places, weights)
    total = None
    for place, weight in zip(places, weights):
        along = [1] * x.ndim
        along[axis] = -1
        share = weight.astype(np.float64 if x.dtype == ms.float64 else np.float32)
        term = _taken(x, axis, place) * Tensor(share).reshape(tuple(along)).astype(x.dtype)
        total = term if total is None else total + term
    return total


def linear(x, axis, new, scale, align_corners):
    """Between the two neighbours, in proportion."""
    length = x.shape[axis]
    at = np.maximum(_positions(length, new, scale, align_corners), 0)
    low = np.minimum(np.floor(at), length - 1)
    share = np.minimum(at - low, 1)
    return _weighed(x, axis, (low, np.minimum(low + 1, length - 1)), (1 - share, share))


def _keys(distance, a):
    """Keys' cubic convolution kernel."""
    d = np.abs(distance)
    inner = ((a + 2) * d - (a + 3)) * d * d + 1
    outer = ((a * d - 5 * a) * d + 8 * a) * d - 4 * a
    return np.where(d < 1, inner, np.where(d < 2, outer, 0.0))


def cubic(x, axis, new, scale, align_corners):
    """Keys' cubic over four neighbours; positions beyond the border repeat it."""
    length = x.shape[axis]
    at = _positions(length, new, scale, align_corners)
    low = np.floor(at)
    places = [np.clip(low + k, 0, length - 1) for k in (-1, 0, 1, 2)]
    return _weighed(x, axis, places, [_keys(at - (low + k), -0.75) for k in (-1, 0, 1, 2)])


def antialiased(x, axis, new, scale, mode, align_corners):
    """A triangle (bilinear) or cubic filter that widens as the picture shrinks, as in Pillow."""
    length = x.shape[axis]
    if align_corners:
        step = (length - 1) / (new - 1) if new > 1 else 0.0
    else:
        step = length / new if scale is None else scale
    widened = max(step, 1.0)
    support = (1 if mode == "bilinear" else 2) * widened
    matrix = np.zeros((new, length))
    for row in range(new):
        centre = step * (row + 0.5)
        first = max(math.floor(centre - support + 0.5), 0)
        last = min(math.floor(centre + support + 0.5), length)
        distance = (np.arange(first, last) - centre + 0.5) / widened
        weights = np.maximum(1 - np.abs(distance), 0) if mode == "bilinear" else _keys(distance, -0.5)
        matrix[row, first:last] = weights / weights.sum()
    if x.dtype == ms.uint8:
        return _weighed_bytes(x, axis, [np.full(new, place) for place in range(length)], list(matrix.T))
    filtered = ops.matmul(ops.swapaxes(x, axis, -1), Tensor(matrix.T.astype(np.float32)).astype(x.dtype))
    return ops.swapaxes(filtered, axis, -1)
