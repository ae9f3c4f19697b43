"""Resampling of images and signals: torch.nn.functional.interpolate and its kin."""

import math

import mindspore as ms
import numpy as np
from mindspore import Tensor, ops

from mindport.declare import Refused, difference, equivalent
from mindport.equivalents.cubic_sampling import cubic_grid_sample
from mindport.equivalents.nearest_sampling import nearest_grid_sample
from mindport.equivalents.separable_resampling import antialiased, cubic, linear, nearest, nearest_exact

ROUNDED = difference(
    "of bytes one value in some hundred may be off by 1 where mode is bicubic", risk="style",
    when="mode == 'bicubic' and input.dtype == ms.uint8", zh="uint8 双三次插值个别值可能相差 1",
)  # fmt: skip
CORNERS = "align_corners goes with mode linear, bilinear, bicubic or trilinear only"
SMOOTH = ("linear", "bilinear", "trilinear")


@equivalent("torch.nn.functional.interpolate", differs=[ROUNDED, difference("NaN or infinity in the input gives another result on CPU", when="mode in ('linear', 'bilinear', 'trilinear', 'bicubic') and not ms.isfinite(input).all()", zh="输入含 NaN 或无穷时结果不同")])
def interpolate(
    input, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None, antialias=False
):
    """(N, C, *) resampled to a size or by a factor.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.interpolate.html. MindSpore's operator takes a
    factor only where it is folded into the size; its bicubic mode is wrong by up to 0.2 and has other coefficients.
    """
    if size is not None and scale_factor is not None:
        raise Refused("give size or scale_factor, not both")
    if size is not None and mode == "nearest" and not antialias:
        return ops.interpolate(input, size, mode="nearest")
    if size is not None and mode in ("linear", "bilinear", "trilinear") and align_corners and not antialias:
        return ops.interpolate(input, size, mode=mode, align_corners=True)
    if size is not None and mode in ("linear", "bilinear", "trilinear") and not align_corners and not antialias:
        return ops.interpolate(input, size, mode=mode, align_corners=False)
    if scale_factor in (2, 4, 8, 16, 32) and mode == "nearest":
        return ops.interpolate(input, scale_factor=float(scale_factor), mode="nearest", recompute_scale_factor=True)
    if scale_factor in (2, 4, 8, 16, 32) and mode == "bilinear" and align_corners and not antialias:
        return ops.interpolate(
            input, scale_factor=float(scale_factor), mode="bilinear", align_corners=True, recompute_scale_factor=True
        )
    if scale_factor in (2, 4, 8, 16, 32) and mode == "bilinear" and not align_corners and not antialias:
        return ops.interpolate(
            input, scale_factor=float(scale_factor), mode="bilinear", align_corners=False, recompute_scale_factor=True
        )
    return _resampled(input, size, scale_factor, mode, align_corners, recompute_scale_factor, antialias)


def _resampled(x, size, scale_factor, mode, align_corners, recompute_scale_factor, antialias):
    """One axis after the other, from positions and weights that are computed as torch computes them."""
    spatial = tuple(x.shape[2:])
    scales = (None,) * len(spatial)
    if size is not None:
        sizes = tuple(size) if isinstance(size, (tuple, list)) else (size,) * len(spatial)
    else:
        factors = tuple(scale_factor) if isinstance(scale_factor, (tuple, list)) else (scale_factor,) * len(spatial)
        sizes = tuple(math.floor(length * float(factor)) for length, factor in zip(spatial, factors))
        if not recompute_scale_factor:
            scales = tuple(1 / float(factor) for factor in factors)
    if align_corners is not None and mode not in ("bicubic", *SMOOTH):
        raise ValueError(CORNERS)
    if antialias and mode not in ("bilinear", "bicubic"):
        raise ValueError("antialias goes with mode bilinear or bicubic only")
    if mode == "area" and x.ndim == 3:
        return ops.adaptive_avg_pool2d(x.unsqueeze(2), (1, *sizes)).squeeze(2)
    if mode == "area":
        return ops.interpolate(x, sizes, mode="area")
    passes = list(enumerate(zip(spatial, sizes, scales), start=2))
    if x.dtype == ms.uint8 and mode in ("bilinear", "bicubic"):
        passes = passes[::-1]  # bytes are rounded after each pass: torch begins with rows
    for axis, (length, new, scale) in passes:
        if mode == "nearest":
            x = nearest(x, axis, new, scale)
        elif mode == "nearest-exact":
            x = nearest_exact(x, axis, new, scale)
        elif antialias:
            x = antialiased(x, axis, new, scale, mode, align_corners)
        elif mode in SMOOTH and (new != length or scale is not None):
            x = linear(x, axis, new, scale, align_corners)
        elif mode == "bicubic" and (new != length or scale is not None):
            x = cubic(x, axis, new, scale, align_corners)
    return x


@equivalent("torch.nn.functional.upsample", differs=[ROUNDED, difference("NaN or infinity in the input gives another result on CPU", when="mode in ('linear', 'bilinear', 'trilinear', 'bicubic') and not ms.isfinite(input).all()", zh="输入含 NaN 或无穷时结果不同")])
def upsample(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    """The deprecated name of `interpolate`."""
    return interpolate(input, size, scale_factor, mode, align_corners)


@equivalent("torch.nn.functional.upsample_nearest")
def upsample_nearest(input, size=None, scale_factor=None):
    """Nearest-neighbour resampling."""
    return interpolate(input, size, scale_factor, "nearest")


@equivalent("torch.nn.functional.upsample_bilinear", differs=[difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(input).all()", zh="输入含 NaN 或无穷时结果不同")])
def upsample_bilinear(input, size=None, scale_factor=None):
    """Bilinear resampling that maps corners to corners."""
    return interpolate(input, size, scale_factor, "bilinear", align_corners=True)


@equivalent("torch.nn.functional.grid_sample", differs=[difference("float64 is computed with the accuracy of float32, float16 is less accurate than in torch", when="input.dtype != ms.float32", zh="float64 与 float16 精度不同"), difference("NaN or infinity in the input or the grid gives another result on CPU", when="not ms.isfinite(input).all() or not ms.isfinite(grid).all()", zh="输入或网格含 NaN 或无穷时结果不同")])
def grid_sample(input, grid, mode="bilinear", padding_mode="zeros", align_corners=None):
    """The input read at the places of `grid`, (x, y) in [-1, 1].

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.grid_sample.html
    """
    if mode == "bicubic":
        return cubic_grid_sample(input, grid, padding_mode, align_corners)
    if mode == "nearest":
        return nearest_grid_sample(input, grid, padding_mode, align_corners)
    if align_corners:
        return ops.grid_sample(input, grid, mode=mode, padding_mode=padding_mode, align_corners=True)
    return ops.grid_sample(input, grid, mode=mode, padding_mode=padding_mode, align_corners=False)


@equivalent("torch.nn.functional.affine_grid")
def affine_grid(theta, size, align_corners=None):
    """The sampling grid of affine maps (N, 2, 3) or (N, 3, 4) for an output of `size`.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.affine_grid.html
    """
    if align_corners:
        return ops.affine_grid(theta, tuple(size), align_corners=True)
    return ops.affine_grid(theta, tuple(size), align_corners=False)


@equivalent("torch.nn.functional.pixel_shuffle", "torch.pixel_shuffle", opinfo="nn.functional.pixel_shuffle")
def pixel_shuffle(input, upscale_factor):
    """(*, C * r * r, H, W) as (*, C, H * r, W * r).

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.pixel_shuffle.html
    """
    return ops.pixel_shuffle(input, upscale_factor)


@equivalent("torch.nn.functional.pixel_unshuffle", "torch.pixel_unshuffle", opinfo="nn.functional.pixel_unshuffle")
def pixel_unshuffle(input, downscale_factor):
    """(*, C, H * r, W * r) as (*, C * r * r, H, W).

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.pixel_unshuffle.html
    """
    return ops.pixel_unshuffle(input, downscale_factor)


@equivalent("torch.nn.functional.channel_shuffle", "torch.channel_shuffle", opinfo="nn.functional.channel_shuffle")
def channel_shuffle(input, groups):
    """The channels (axis 1) dealt out over `groups` and collected again.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.channel_shuffle.html
    """
    dealt = input.reshape((input.shape[0], groups, input.shape[1] // groups, -1))
    return ops.swapaxes(dealt, 1, 2).reshape(input.shape)


@equivalent("torch.nn.functional.fold", differs=[difference("an empty tensor gives unspecified values", when="input.numel() == 0", zh="空张量的结果不确定")])
def fold(input, output_size, kernel_size, dilation=1, padding=0, stride=1):
    """The sum of windows (N, C * kh * kw, windows) laid back onto (N, C, H, W).

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.fold.html
    """
    size = (output_size,) * 2 if isinstance(output_size, int) else tuple(output_size)
    target = Tensor(np.array(size, np.int32))
    if input.ndim == 2:
        return ops.fold(input.unsqueeze(0), target, kernel_size, dilation, padding, stride).squeeze(0)
    return ops.fold(input, target, kernel_size, dilation, padding, stride)
