"""Layers that rearrange or resample positions, without parameters."""

import math

import mindspore as ms
from mindspore import Tensor, nn, ops

from mindport.declare import Refused, difference, layer
from mindport.equivalents.linear_maps import cosine_similarity, pairwise_distance
from mindport.equivalents.resampling import interpolate

EMPTY = difference("an empty input gives another shape", when="inputs and inputs[0].numel() == 0", zh="空输入的结果形状不同")
NOT_FINITE = difference("NaN or infinity in the input spreads differently where values are interpolated", when="mode != 'nearest' and inputs and not ms.isfinite(inputs[0]).all()", zh="插值时 NaN 与无穷的传播不同")
DOUBLE = difference("float64 is computed with the accuracy of float32", when="mode != 'nearest' and inputs and inputs[0].dtype == ms.float64", zh="float64 只有 float32 的精度")
BILINEAR_NOT_FINITE = difference("NaN or infinity in the input spreads differently", when="inputs and not ms.isfinite(inputs[0]).all()", zh="NaN 与无穷的传播不同")
BILINEAR_DOUBLE = difference("float64 is computed with the accuracy of float32", when="inputs and inputs[0].dtype == ms.float64", zh="float64 只有 float32 的精度")


@layer("torch.nn.Flatten")
class Flatten(nn.Flatten):
    """The axes from start_dim to end_dim as one.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.Flatten.html
    """

    def __init__(self, start_dim=1, end_dim=-1):
        super().__init__(start_dim, end_dim)


@layer("torch.nn.Unflatten")
class Unflatten(nn.Cell):
    """One axis as several; one size may be -1.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.Unflatten.html
    """

    def __init__(self, dim, unflattened_size):
        super().__init__()
        if isinstance(dim, str):
            raise Refused("named axes: give the axis by number")
        self.dim = dim
        self.unflattened_size = unflattened_size

    def construct(self, input):
        axis = self.dim % input.ndim
        sizes = tuple(self.unflattened_size)
        if -1 in sizes:  # of an empty tensor reshape could not tell
            known = -math.prod(sizes)
            sizes = tuple(input.shape[axis] // known if size == -1 else size for size in sizes)
        return input.reshape(input.shape[:axis] + sizes + input.shape[axis + 1 :])


@layer("torch.nn.PixelShuffle")
class PixelShuffle(nn.PixelShuffle):
    """(*, C * r * r, H, W) as (*, C, H * r, W * r).

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.PixelShuffle.html
    """

    def __init__(self, upscale_factor):
        super().__init__(upscale_factor)


@layer("torch.nn.PixelUnshuffle", differs=[EMPTY])
class PixelUnshuffle(nn.PixelUnshuffle):
    """(*, C, H * r, W * r) as (*, C * r * r, H, W).

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.PixelUnshuffle.html
    """

    def __init__(self, downscale_factor):
        super().__init__(downscale_factor)


@layer("torch.nn.ChannelShuffle")
class ChannelShuffle(nn.Cell):
    """The channels dealt out over `groups` and collected again, in (N, C, *).

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.ChannelShuffle.html
    """

    def __init__(self, groups):
        super().__init__()
        self.groups = groups

    def construct(self, input):
        shape = input.shape
        dealt = input.reshape((shape[0], self.groups, shape[1] // self.groups, -1))
        return dealt.swapaxes(1, 2).reshape(shape)


def _whole_sizes(x, size, scale_factor):
    """The output's spatial sizes; none where a factor gives no whole numbers, which moves torch's sampling points."""
    spatial = x.shape[2:]
    if size is not None:
        return tuple(size) if isinstance(size, (tuple, list)) else (size,) * len(spatial)
    scales = scale_factor if isinstance(scale_factor, (tuple, list)) else (scale_factor,) * len(spatial)
    sizes = ()
    for axis in range(len(spatial)):
        size = int(spatial[axis] * scales[axis])
        if spatial[axis] * scales[axis] != size:
            return None
        sizes += (size,)
    return sizes


@layer("torch.nn.Upsample", differs=[NOT_FINITE, DOUBLE])
class Upsample(nn.Cell):
    """Resampling of (N, C, *) to a size or by a factor.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.Upsample.html
    """

    def __init__(self, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None):
        super().__init__()
        self.size = size
        self.scale_factor = scale_factor
        self.mode = mode
        self.align_corners = align_corners
        self.recompute_scale_factor = recompute_scale_factor

    def construct(self, input):
        size = _whole_sizes(input, self.size, self.scale_factor)
        if size is None or self.mode not in ("nearest", "linear", "bilinear", "trilinear"):
            return interpolate(input, self.size, self.scale_factor, self.mode, self.align_corners, self.recompute_scale_factor)
        if self.mode == "nearest":
            return ops.interpolate(input, size, mode="nearest")
        return ops.interpolate(input, size, mode=self.mode, align_corners=bool(self.align_corners))


@layer("torch.nn.UpsamplingNearest2d")
class UpsamplingNearest2d(Upsample):
    """Nearest-neighbour resampling of (N, C, H, W).

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.UpsamplingNearest2d.html
    """

    def __init__(self, size=None, scale_factor=None):
        super().__init__(size, scale_factor, "nearest")


@layer("torch.nn.UpsamplingBilinear2d", differs=[BILINEAR_NOT_FINITE, BILINEAR_DOUBLE])
class UpsamplingBilinear2d(Upsample):
    """Bilinear resampling of (N, C, H, W) that maps corners to corners.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.UpsamplingBilinear2d.html
    """

    def __init__(self, size=None, scale_factor=None):
        super().__init__(size, scale_factor, "bilinear", align_corners=True)


@layer("torch.nn.Unfold")
class Unfold(nn.Cell):
    """The windows of (N, C, H, W) as columns: (N, C * kh * kw, windows).

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.Unfold.html
    """

    def __init__(self, kernel_size, dilation=1, padding=0, stride=1):
        super().__init__()
        self.kernel_size = kernel_size
        self.dilation = dilation
        self.padding = padding
        self.stride = stride

    def construct(self, input):
        return ops.unfold(input, self.kernel_size, self.dilation, self.padding, self.stride)


@layer("torch.nn.Fold", differs=[EMPTY])
class Fold(nn.Cell):
    """The sum of windows (N, C * kh * kw, windows) laid back onto (N, C, H, W).

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.Fold.html
    """

    def __init__(self, output_size, kernel_size, dilation=1, padding=0, stride=1):
        super().__init__()
        self.output_size = output_size
        self.kernel_size = kernel_size
        self.dilation = dilation
        self.padding = padding
        self.stride = stride

    def construct(self, input):
        size = (self.output_size,) * 2 if isinstance(self.output_size, int) else tuple(self.output_size)
        return ops.fold(input, Tensor(size, ms.int32), self.kernel_size, self.dilation, self.padding, self.stride)


@layer("torch.nn.CosineSimilarity")
class CosineSimilarity(nn.Cell):
    """x1 . x2 / (|x1| |x2|) along `dim`, each norm at least eps.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.CosineSimilarity.html
    """

    def __init__(self, dim=1, eps=1e-08):
        super().__init__()
        self.dim = dim
        self.eps = eps

    def construct(self, x1, x2):
        return cosine_similarity(x1, x2, self.dim, self.eps)


@layer("torch.nn.PairwiseDistance")
class PairwiseDistance(nn.Cell):
    """The p-norm of x1 - x2 + eps along the last axis.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.PairwiseDistance.html
    """

    def __init__(self, p=2.0, eps=1e-06, keepdim=False):
        super().__init__()
        self.norm = p
        self.eps = eps
        self.keepdim = keepdim

    def construct(self, x1, x2):
        return pairwise_distance(x1, x2, self.norm, self.eps, self.keepdim)
