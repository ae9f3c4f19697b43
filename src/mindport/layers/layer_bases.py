"""PyTorch's own bases of normalisations and convolutions, from which a project derives: ``class Norm(_BatchNorm)``.

Sources: torch/nn/modules/batchnorm.py, torch/nn/modules/conv.py.
"""

import math

import mindspore as ms
from mindspore import Parameter, nn, ops
from mindspore.common.initializer import HeUniform, Uniform, initializer

from mindport.declare import Refused, layer
from mindport.equivalents.functional_normalization import batch_norm
from mindport.layers.normalization import DEVICE


@layer("torch.nn.modules.batchnorm._BatchNorm", state={"num_batches_tracked": None}, drops=DEVICE)
class BatchNormBase(nn.Cell):
    """Normalisation over all axes but the second, of inputs that `_check_input_dim` allows."""

    def __init__(
        self, num_features, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True, device=None, dtype=None, *, bias=True,
    ):
        if momentum is None:
            raise Refused("momentum=None (a cumulative average of the statistics): give a number")
        if dtype is not None and dtype != ms.float32:
            raise Refused("dtype other than float32: build the layer in float32 and call to_float() on it")
        super().__init__()
        self.num_features, self.eps, self.momentum, self.affine, self.track_running_stats = num_features, eps, momentum, affine, track_running_stats
        self.weight = Parameter(ops.ones(num_features), name="weight") if affine else None
        self.bias = Parameter(ops.zeros(num_features), name="bias") if affine and bias else None
        self.register_buffer("running_mean", ops.zeros(num_features) if track_running_stats else None)
        self.register_buffer("running_var", ops.ones(num_features) if track_running_stats else None)

    def _check_input_dim(self, input):
        raise NotImplementedError

    def construct(self, input):
        self._check_input_dim(input)
        own = self.training or self.running_mean is None
        mean, variance = (None, None) if own and not self.track_running_stats else (self.running_mean, self.running_var)
        return batch_norm(input, mean, variance, self.weight, self.bias, own, self.momentum, self.eps)


@layer("torch.nn.modules.conv._ConvNd", drops=DEVICE)
class ConvBase(nn.Cell):
    """Weight and bias of a convolution, and its arguments; what it computes is the derived class's."""

    def __init__(
        self, in_channels, out_channels, kernel_size, stride, padding, dilation, transposed, output_padding, groups, bias, padding_mode,
        device=None, dtype=None,
    ):
        if dtype is not None and dtype != ms.float32:
            raise Refused("dtype other than float32: build the layer in float32 and call to_float() on it")
        if in_channels % groups or out_channels % groups:
            raise ValueError("in_channels and out_channels must be divisible by groups")
        super().__init__()
        self.in_channels, self.out_channels, self.kernel_size, self.stride, self.padding = in_channels, out_channels, kernel_size, stride, padding
        self.dilation, self.transposed, self.output_padding, self.groups, self.padding_mode = dilation, transposed, output_padding, groups, padding_mode
        channels = (in_channels, out_channels // groups) if transposed else (out_channels, in_channels // groups)
        shape = (*channels, *kernel_size)
        self.weight = Parameter(initializer(HeUniform(math.sqrt(5)), shape, ms.float32), name="weight")
        bound = 1 / math.sqrt(max(1, shape[1] * math.prod(kernel_size)))
        self.bias = Parameter(initializer(Uniform(bound), (out_channels,), ms.float32), name="bias") if bias else None
