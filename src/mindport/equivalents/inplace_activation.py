"""Activations of torch.nn.functional that overwrite their input; `relu_` is in `inplace.py`."""

from mindport.declare import difference, equivalent
from mindport.equivalents.activation import celu, elu, hardtanh, leaky_relu, rrelu, selu
from mindport.equivalents.activation import threshold as above
from mindport.equivalents.inplace import overwrite

NOT_FINITE = difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(input).all()", zh="输入含 NaN 或无穷时结果不同")


@equivalent("torch.nn.functional.elu_")
def elu_(input, alpha=1.0):
    """`elu`, in place. https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.elu_.html"""
    return overwrite(input, elu(input.copy(), alpha))


@equivalent("torch.nn.functional.selu_", "torch.selu_", opinfo="nn.functional.selu", differs=[NOT_FINITE])
def selu_(input):
    """`selu`, in place."""
    return overwrite(input, selu(input.copy()))


@equivalent("torch.nn.functional.celu_", "torch.celu_", opinfo="nn.functional.celu", differs=[NOT_FINITE])
def celu_(input, alpha=1.0):
    """`celu`, in place."""
    return overwrite(input, celu(input.copy(), alpha))


@equivalent("torch.nn.functional.hardtanh_", differs=[NOT_FINITE])
def hardtanh_(input, min_val=-1.0, max_val=1.0):
    """`hardtanh`, in place. https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.hardtanh_.html"""
    return overwrite(input, hardtanh(input.copy(), min_val, max_val))


@equivalent("torch.nn.functional.leaky_relu_")
def leaky_relu_(input, negative_slope=0.01):
    """`leaky_relu`, in place. https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.leaky_relu_.html"""
    return overwrite(input, leaky_relu(input.copy(), negative_slope))


@equivalent("torch.nn.functional.rrelu_", "torch.rrelu_", opinfo="nn.functional.rrelu", random=True)
def rrelu_(input, lower=1.0 / 8, upper=1.0 / 3, training=False):
    """`rrelu`, in place."""
    return overwrite(input, rrelu(input.copy(), lower, upper, training))


@equivalent("torch.nn.functional.threshold_", "torch.threshold_", opinfo="nn.functional.threshold", differs=[NOT_FINITE, difference("of integers torch rounds the threshold towards zero first", when="not input.is_floating_point()", zh="整数输入时 PyTorch 先将阈值向零取整")])
def threshold_(input, threshold, value):
    """`threshold`, in place."""
    return overwrite(input, above(input.copy(), threshold, value))
