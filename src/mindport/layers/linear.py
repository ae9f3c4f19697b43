"""Linear layers."""

import mindspore as ms
from mindspore import nn

from mindport.declare import Refused, difference, layer
from mindport.equivalents.python_data import seen_int

# The condition asks for a layer built in float64: said of every Linear, it would be a line in every conversion.
NO_ROWS = difference(
    "an empty batch of float64 with a bias ends the process (SIGFPE in MindSpore's addition of the bias)",
    when="dtype == ms.float64 and bias and inputs and inputs[0].numel() == 0", risk="loud", zh="float64 的空批次加偏置时进程终止",
)  # fmt: skip
DEVICE = {"device": "MindSpore places every parameter on the device of the context"}


@layer("torch.nn.Linear", attributes={"in_features": "in_channels", "out_features": "out_channels"}, drops=DEVICE, differs=[NO_ROWS])
class Linear(nn.Dense):
    """x @ weight.T + bias over the last axis.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.Linear.html
    """

    def __init__(self, in_features, out_features, bias=True, device=None, dtype=None):
        if seen_int(bias):
            bias = bool(bias)
        if dtype is None:
            super().__init__(in_features, out_features, has_bias=bias)
        else:
            super().__init__(in_features, out_features, has_bias=bias, dtype=dtype)

    @property
    def in_features(self):
        return self.in_channels

    @property
    def out_features(self):
        return self.out_channels


@layer("torch.nn.Bilinear", drops=DEVICE,
       attributes={"in1_features": "in1_channels", "in2_features": "in2_channels", "out_features": "out_channels"})
class Bilinear(nn.BiDense):
    """x1 @ weight[k] @ x2 + bias[k] for each output feature k.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.Bilinear.html
    """

    def __init__(self, in1_features, in2_features, out_features, bias=True, device=None, dtype=None):
        if dtype is not None and dtype != ms.float32:
            raise Refused("dtype other than float32: build the layer in float32 and call to_float() on it")
        super().__init__(in1_features, in2_features, out_features, has_bias=bias)


@layer("torch.nn.Identity")
class Identity(nn.Identity):
    """The input itself; the constructor takes and ignores any arguments, as torch's does.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.Identity.html
    """

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
