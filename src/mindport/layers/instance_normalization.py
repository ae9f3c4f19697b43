"""Instance normalisation. MindSpore's own cells have no CPU kernel, so these compute it from means."""

import mindspore as ms
from mindspore import Parameter, nn, ops

from mindport.declare import Refused, difference, layer

SHORT = difference(
    "of float16 and bfloat16 the running statistics are computed in float32, torch has the accuracy of the input", risk="style",
    when="track_running_stats and inputs and inputs[0].dtype in (ms.float16, ms.bfloat16)", zh="float16 与 bfloat16 输入的滑动统计量以 float32 计算",
)  # fmt: skip
DEVICE = {"device": "MindSpore places every parameter on the device of the context"}


class InstanceNorm(nn.Cell):
    """(x - mean) / sqrt(variance + eps) over the axes after the channels, for each sample."""

    dimensions = 0

    def __init__(
        self, num_features, eps=1e-05, momentum=0.1, affine=False, track_running_stats=False, device=None, dtype=None,
        *, bias=True,
    ):
        super().__init__()
        if momentum is None:
            raise Refused("momentum=None (a cumulative average of the statistics): give a number")
        self.num_features = num_features
        self.eps = eps
        self.momentum = momentum
        self.affine = affine
        self.track_running_stats = track_running_stats
        dtype = ms.float32 if dtype is None else dtype
        self.weight = Parameter(ops.ones((num_features,), dtype), name="weight") if affine else None
        self.bias = Parameter(ops.zeros((num_features,), dtype), name="bias") if affine and bias else None
        if track_running_stats:
            self.running_mean = Parameter(ops.zeros((num_features,), dtype), name="running_mean", requires_grad=False)
            self.running_var = Parameter(ops.ones((num_features,), dtype), name="running_var", requires_grad=False)
        else:
            self.running_mean = self.running_var = None
        self.reset_parameters()

    def reset_running_stats(self):
        if self.track_running_stats:
            self.running_mean.set_data(ops.zeros(self.running_mean.shape, self.running_mean.dtype))
            self.running_var.set_data(ops.ones(self.running_var.shape, self.running_var.dtype))

    def reset_parameters(self):
        self.reset_running_stats()
        if self.affine:
            self.weight.set_data(ops.ones(self.weight.shape, self.weight.dtype))
        if self.bias is not None:
            self.bias.set_data(ops.zeros(self.bias.shape, self.bias.dtype))

    def construct(self, input):
        batched = input.ndim == self.dimensions + 2
        x = input if batched else input.expand_dims(0)
        x = x if x.dtype == ms.float64 else x.astype(ms.float32)
        axes = tuple(range(2, x.ndim))
        per_channel = (1, -1) + (1,) * self.dimensions
        if self.training or not self.track_running_stats:
            mean = ops.mean(x, axes, keep_dims=True)
            centred = x - mean
            variance = ops.mean(centred * centred, axes, keep_dims=True)
            if self.track_running_stats:
                count = x.size // (x.shape[0] * x.shape[1])
                unbiased = ops.mean(variance, 0).reshape((-1,)) * (count / (count - 1))
                kept = 1 - self.momentum
                average = ops.mean(mean, 0).reshape((-1,))
                ops.assign(self.running_mean, kept * self.running_mean + self.momentum * ops.stop_gradient(average))
                ops.assign(self.running_var, kept * self.running_var + self.momentum * ops.stop_gradient(unbiased))
        else:
            centred = x - self.running_mean.reshape(per_channel)
            variance = self.running_var.reshape(per_channel)
        output = centred * ops.rsqrt(variance + self.eps)
        if self.affine:
            output = output * self.weight.reshape(per_channel)
        if self.bias is not None:
            output = output + self.bias.reshape(per_channel)
        output = output.astype(input.dtype)
        return output if batched else output.squeeze(0)


@layer("torch.nn.InstanceNorm1d", state={"num_batches_tracked": None}, drops=DEVICE, differs=[SHORT])
class InstanceNorm1d(InstanceNorm):
    """Instance normalisation of (N, C, *) with 1 axes after the channels; the batch axis may be missing.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.InstanceNorm1d.html
    """

    dimensions = 1

    def __init__(
        self, num_features, eps=1e-05, momentum=0.1, affine=False, track_running_stats=False, device=None, dtype=None,
        *, bias=True,
    ):
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)


@layer("torch.nn.InstanceNorm2d", state={"num_batches_tracked": None}, drops=DEVICE, differs=[SHORT])
class InstanceNorm2d(InstanceNorm):
    """Instance normalisation of (N, C, *) with 2 axes after the channels; the batch axis may be missing.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.InstanceNorm2d.html
    """

    dimensions = 2

    def __init__(
        self, num_features, eps=1e-05, momentum=0.1, affine=False, track_running_stats=False, device=None, dtype=None,
        *, bias=True,
    ):
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)


@layer("torch.nn.InstanceNorm3d", state={"num_batches_tracked": None}, drops=DEVICE, differs=[SHORT])
class InstanceNorm3d(InstanceNorm):
    """Instance normalisation of (N, C, *) with 3 axes after the channels; the batch axis may be missing.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.InstanceNorm3d.html
    """

    dimensions = 3

    def __init__(
        self, num_features, eps=1e-05, momentum=0.1, affine=False, track_running_stats=False, device=None, dtype=None,
        *, bias=True,
    ):
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)


