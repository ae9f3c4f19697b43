"""torchvision's layers on regions of feature maps, and the small layers of its models. https://docs.pytorch.org/vision/stable/ops.html"""

import math

from mindspore import Parameter, nn, ops
from mindspore.common.initializer import HeUniform, Uniform, initializer

from mindport.declare import layer
from mindport.equivalents.deformable_convolution import deform_conv2d_of_pairs, pair
from mindport.equivalents.random import bernoulli
from mindport.equivalents.region_pooling import ps_roi_align_of_boxes, roi_align_of_boxes, roi_pool_of_boxes


@layer("torchvision.ops.RoIAlign")
class RoIAlign(nn.Cell):
    """The mean of bilinear samples in each bin of each region."""

    def __init__(self, output_size, spatial_scale, sampling_ratio, aligned=False):
        super().__init__()
        self.output_size = output_size
        self.spatial_scale = spatial_scale
        self.sampling_ratio = sampling_ratio
        self.aligned = aligned

    def construct(self, input, rois):
        return roi_align_of_boxes(input, rois, self.output_size, self.spatial_scale, self.sampling_ratio, self.aligned)


@layer("torchvision.ops.RoIPool")
class RoIPool(nn.Cell):
    """The maximum in each bin of each region."""

    def __init__(self, output_size, spatial_scale):
        super().__init__()
        self.output_size = output_size
        self.spatial_scale = spatial_scale

    def construct(self, input, rois):
        return roi_pool_of_boxes(input, rois, self.output_size, self.spatial_scale)


@layer("torchvision.ops.PSRoIAlign")
class PSRoIAlign(nn.Cell):
    """`RoIAlign` in which each bin has channels of its own."""

    def __init__(self, output_size, spatial_scale, sampling_ratio):
        super().__init__()
        self.output_size = output_size
        self.spatial_scale = spatial_scale
        self.sampling_ratio = sampling_ratio

    def construct(self, input, rois):
        return ps_roi_align_of_boxes(input, rois, self.output_size, self.spatial_scale, self.sampling_ratio)


@layer("torchvision.ops.DeformConv2d")
class DeformConv2d(nn.Cell):
    """A convolution whose kernel elements read where offsets move them to: ``layer(input, offset, mask)``."""

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True):
        super().__init__()
        if in_channels % groups != 0:
            raise ValueError("in_channels must be divisible by groups")
        if out_channels % groups != 0:
            raise ValueError("out_channels must be divisible by groups")
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size = pair(kernel_size)
        self.stride = pair(stride)
        self.padding = pair(padding)
        self.dilation = pair(dilation)
        self.groups = groups
        shape = (out_channels, in_channels // groups, self.kernel_size[0], self.kernel_size[1])
        bound = 1 / math.sqrt(shape[1] * shape[2] * shape[3])
        self.weight = Parameter(initializer(HeUniform(math.sqrt(5)), shape), name="weight")
        self.bias = Parameter(initializer(Uniform(bound), (out_channels,)), name="bias") if bias else None

    def construct(self, input, offset, mask=None):
        return deform_conv2d_of_pairs(input, offset, self.weight, self.bias, self.stride, self.padding, self.dilation, mask)


@layer("torchvision.ops.StochasticDepth")
class StochasticDepth(nn.Cell):
    """While training zeroes whole examples ("row") or the batch ("batch") with probability p, and scales the rest up."""

    def __init__(self, p, mode):
        super().__init__()
        self.p = p
        self.mode = mode
        self.set_train()  # torch's modules begin in training mode; a parent's mode reaches it later

    def construct(self, input):
        if self.p < 0.0 or self.p > 1.0:
            raise ValueError(f"drop probability has to be between 0 and 1, but got {self.p}")
        if self.mode not in ("batch", "row"):
            raise ValueError(f"mode has to be either 'batch' or 'row', but got {self.mode}")
        if not self.training or self.p == 0.0:
            return input
        rows = input.shape[0] if self.mode == "row" else 1
        kept = bernoulli(ops.full((rows,) + (1,) * (input.ndim - 1), 1.0 - self.p, dtype=input.dtype))
        return input * (kept / (1.0 - self.p) if self.p < 1.0 else kept)


@layer("torchvision.ops.Permute", "torchvision.ops.misc.Permute")
class Permute(nn.Cell):
    """The axes in another order."""

    def __init__(self, dims):
        super().__init__()
        self.dims = dims

    def construct(self, x):
        return ops.permute(x, tuple(self.dims))


@layer("torchvision.ops.FrozenBatchNorm2d", "torchvision.ops.misc.FrozenBatchNorm2d")
class FrozenBatchNorm2d(nn.Cell):
    """Normalisation with statistics, weight and bias that no training changes: all four are buffers."""

    def __init__(self, num_features, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.register_buffer("weight", ops.ones((num_features,)))
        self.register_buffer("bias", ops.zeros((num_features,)))
        self.register_buffer("running_mean", ops.zeros((num_features,)))
        self.register_buffer("running_var", ops.ones((num_features,)))

    def construct(self, x):
        scale = self.weight * ops.rsqrt(self.running_var + self.eps)
        shift = self.bias - self.running_mean * scale
        return x * scale.reshape((1, -1, 1, 1)) + shift.reshape((1, -1, 1, 1))
