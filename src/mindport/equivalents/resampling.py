"""Resampling of spatial axes. MindSpore's functions want sizes, and differ in bicubic; these are composed where they do."""

import math

import mindspore as ms
import numpy as np
from mindspore import Tensor, ops

from mindport.declare import Refused, equivalent


def _sizes(x, size, scale_factor):
    """The output's spatial sizes, ⌊n · scale⌋ where scales are given."""
    spatial = x.shape[2:]
    if size is not None:
        return (size,) * len(spatial) if isinstance(size, int) else tuple(int(s) for s in size)
    scales = scale_factor if isinstance(scale_factor, (tuple, list)) else (scale_factor,) * len(spatial)
    return tuple(math.floor(n * s) for n, s in zip(spatial, scales, strict=True))


def _scales(x, scale_factor, recompute):
    """Steps in the input for one step in the output: by the given scales unless they are to be recomputed."""
    if scale_factor is None or recompute:
        return [None] * (x.ndim - 2)
    scales = scale_factor if isinstance(scale_factor, (tuple, list)) else (scale_factor,) * (x.ndim - 2)
    return [1.0 / s for s in scales]


def _cubic(t):
    """Keys' kernel with a = −0.75 at distance t."""
    a, t = -0.75, np.abs(t)
    near = (a + 2) * t**3 - (a + 3) * t**2 + 1
    far = a * t**3 - 5 * a * t**2 + 8 * a * t - 4 * a
    return np.where(t <= 1, near, np.where(t < 2, far, 0.0))


def _matrix(mode, source, target, align_corners, step):
    """The (target, source) matrix by which one axis is resampled."""
    place = np.arange(target, dtype=np.float64)
    if mode in ("nearest", "nearest-exact"):
        step = source / target if step is None else step
        offset = 0.5 if mode == "nearest-exact" else 0.0
        index = np.minimum(np.floor((place + offset) * np.float32(step)).astype(np.int64), source - 1)
        return np.eye(source)[index]
    if align_corners:
        centre = place * ((source - 1) / (target - 1) if target > 1 else 0.0)
    else:
        centre = (place + 0.5) * (source / target if step is None else step) - 0.5
        if mode == "linear":
            centre = np.maximum(centre, 0.0)
    first = np.floor(centre).astype(np.int64)
    reach = range(-1, 3) if mode == "cubic" else range(2)
    matrix = np.zeros((target, source))
    for k in reach:
        weight = _cubic(centre - (first + k)) if mode == "cubic" else np.maximum(1 - np.abs(centre - (first + k)), 0.0)
        np.add.at(matrix, (np.arange(target), np.clip(first + k, 0, source - 1)), weight)
    return matrix


def _resample(x, mode, sizes, align_corners, steps):
    for place, (target, step) in enumerate(zip(sizes, steps, strict=True)):
        axis, source = place + 2, x.shape[place + 2]
        matrix = _matrix(mode, source, target, align_corners, step)
        if not np.array_equal(matrix, np.eye(source)):
            moved = ops.matmul(ops.swapaxes(x, axis, -1), Tensor(matrix.T.astype(np.float32), x.dtype))
            x = ops.swapaxes(moved, axis, -1)
    return x


@equivalent("torch.nn.functional.interpolate")
def interpolate(
    input, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None, antialias=False
):
    """Spatial axes resampled, nearest, linear, cubic or by area.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.interpolate.html
    One matrix an axis, as `ops.interpolate` differs from torch for cubic and takes no scales for linear.
    """
    if antialias:
        raise Refused("antialias=True is not supported: resize before the network, with PIL")
    sizes = _sizes(input, size, scale_factor)
    if mode == "area":
        return _area(input, sizes)
    kinds = {"nearest": "nearest", "nearest-exact": "nearest-exact", "linear": "linear", "bilinear": "linear", "trilinear": "linear", "bicubic": "cubic"}
    if mode not in kinds:
        raise Refused("mode must be nearest, nearest-exact, linear, bilinear, trilinear, bicubic or area")
    return _resample(input, kinds[mode], sizes, bool(align_corners), _scales(input, scale_factor, recompute_scale_factor))


def _area(x, sizes):
    for place, target in enumerate(sizes):
        axis, source = place + 2, x.shape[place + 2]
        matrix = np.zeros((target, source))
        for i in range(target):
            start, end = i * source // target, -((-(i + 1) * source) // target)
            matrix[i, start:end] = 1.0 / (end - start)
        x = ops.swapaxes(ops.matmul(ops.swapaxes(x, axis, -1), Tensor(matrix.T.astype(np.float32), x.dtype)), axis, -1)
    return x


@equivalent("torch.nn.functional.upsample")
def upsample(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    """interpolate's old name."""
    return interpolate(input, size, scale_factor, mode, align_corners)


@equivalent("torch.nn.functional.pixel_shuffle", "torch.pixel_shuffle", opinfo="nn.functional.pixel_shuffle")
def pixel_shuffle(input, upscale_factor):
    """Channels to space. https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.pixel_shuffle.html"""
    return ops.pixel_shuffle(input, upscale_factor)


@equivalent("torch.nn.functional.pixel_unshuffle", "torch.pixel_unshuffle", opinfo="nn.functional.pixel_unshuffle")
def pixel_unshuffle(input, downscale_factor):
    """Space to channels."""
    return ops.pixel_unshuffle(input, downscale_factor)


@equivalent("torch.nn.functional.affine_grid")
def affine_grid(theta, size, align_corners=None):
    """Sampling positions of an affine map, (N, H, W, 2) or (N, D, H, W, 3)."""
    axes = []
    for n in size[2:]:
        line = np.linspace(-1, 1, n) if align_corners else (np.arange(n) * 2 + 1) / n - 1
        axes.append(np.zeros(1) if n == 1 and align_corners else line)
    grid = np.stack([*np.meshgrid(*axes, indexing="ij")][::-1] + [np.ones(tuple(size[2:]))], axis=-1)
    base = Tensor(grid.reshape(-1, grid.shape[-1]).astype(np.float32), theta.dtype)
    return ops.matmul(base, ops.swapaxes(theta, 1, 2)).reshape(size[0], *size[2:], len(size) - 2)


@equivalent("torch.nn.functional.grid_sample")
def grid_sample(input, grid, mode="bilinear", padding_mode="zeros", align_corners=None):
    """Values at positions in [−1, 1] (x, y), of (N, C, H, W).

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.grid_sample.html
    """
    if mode == "bicubic":
        raise Refused("mode='bicubic' is not supported: use 'bilinear' or 'nearest'")
    if input.dtype not in (ms.float32, ms.float64):
        raise Refused("grid_sample takes float32 or float64")
    return ops.grid_sample(input, grid, mode, padding_mode, bool(align_corners))
