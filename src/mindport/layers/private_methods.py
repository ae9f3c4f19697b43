"""What torch's layers call themselves, and a project's own forward pass of such a layer, too: `_conv_forward`, `_check_input_dim`.

Sources: torch/nn/modules/conv.py, batchnorm.py, instancenorm.py.
"""

from mindspore import nn

from mindport.declare import Refused, equivalent
from mindport.layers.convolution import _bordered
from mindport.layers.instance_normalization import InstanceNorm

#: Layers → how many axes their inputs may have.
AXES = ((nn.BatchNorm1d, (2, 3)), (nn.BatchNorm2d, (4,)), (nn.BatchNorm3d, (5,)))


@equivalent("torch.nn.Module._check_input_dim")
def _check_input_dim(self, input):
    """None; a ValueError where the layer does not take inputs of so many axes."""
    counts = (self.dimensions + 1, self.dimensions + 2) if isinstance(self, InstanceNorm) else None
    for cls, taken in AXES:  # no `next(…)`: compiled code knows none with a default
        if isinstance(self, cls):
            counts = taken
    if counts is not None and input.ndim not in counts:
        raise ValueError(f"expected {' or '.join(map(str, counts))} axes (got {input.ndim})")
    return None


@equivalent("torch.nn.Module._conv_forward")
def _conv_forward(self, input, weight, bias):
    """The layer's convolution of `input` with another weight (out, in / groups, …) and bias (out) or None; padding, stride, dilation and groups are its own."""
    x = input
    if isinstance(self, nn.Conv3d):
        output = self.conv3d(x, weight)
    elif isinstance(self, (nn.Conv1d, nn.Conv2d)):
        if getattr(self, "border", None) is not None:
            x = _bordered(x, self.border, self.border_mode)
        if isinstance(self, nn.Conv1d):
            output = self.conv2d(x.expand_dims(2), weight if weight.ndim == 4 else weight.expand_dims(2)).squeeze(2)
        else:
            output = self.conv2d(x, weight)
    else:
        raise Refused("_conv_forward is known of Conv1d, Conv2d and Conv3d: call the convolution itself")
    return output if bias is None else output + bias.reshape((1, -1) + (1,) * (output.ndim - 2))
