"""Activation functions: torch.nn.functional and their forms in torch and torch.Tensor."""

import mindspore as ms
from mindspore import ops

from mindport.declare import difference, equivalent
from mindport.equivalents.exact_numbers import exact
from mindport.equivalents.near_zero import expm1_near_zero, softplus_of
from mindport.equivalents.python_data import seen_dtype
from mindport.equivalents.tangent import tanh_of

KEPT = "the input keeps its values: code that reads it again sees them unchanged"
INPLACE = difference(KEPT, when="inplace", zh="输入张量保持不变")


@equivalent("torch.nn.functional.relu", differs=[INPLACE, difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(input).all()", zh="输入含 NaN 或无穷时结果不同")])
def relu(input, inplace=False):
    """max(input, 0), elementwise. https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.relu.html"""
    return ops.relu(input)


@equivalent("torch.relu", "torch.Tensor.relu", opinfo="nn.functional.relu", differs=[difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(input).all()", zh="输入含 NaN 或无穷时结果不同")])
def torch_relu(input):
    """max(input, 0), elementwise."""
    return ops.relu(input)


@equivalent("torch.nn.functional.relu6", differs=[INPLACE, difference("where the input is exactly 6 the gradient is 1, torch's is 0", risk="style", zh="输入恰为 6 时梯度为 1"), difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(input).all()", zh="输入含 NaN 或无穷时结果不同")])
def relu6(input, inplace=False):
    """min(max(input, 0), 6). https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.relu6.html"""
    return ops.relu6(input)


@equivalent("torch.nn.functional.leaky_relu", differs=[INPLACE])
def leaky_relu(input, negative_slope=0.01, inplace=False):
    """input where positive, else negative_slope · input.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.leaky_relu.html
    `ops.leaky_relu` has slope 0.2 where nothing is said, and at 0 the mean of both slopes as its gradient.
    """
    if seen_dtype(input, ms.float64):
        return ops.where(input > 0, input, input * exact(negative_slope, input))
    return ops.where(input > 0, input, input * negative_slope)


@equivalent("torch.nn.functional.elu", differs=[INPLACE])
def elu(input, alpha=1.0, inplace=False):
    """input where positive, else alpha · (eˣ − 1). https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.elu.html"""
    if alpha == 1.0:
        return ops.elu(input)
    return ops.where(input > 0, input, exact(alpha, input) * expm1_near_zero(ops.where(input > 0, 0.0, input)))


@equivalent("torch.nn.functional.selu", "torch.selu", differs=[INPLACE, difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(input).all()", zh="输入含 NaN 或无穷时结果不同")], opinfo="nn.functional.selu")
def selu(input, inplace=False):
    """The scaled elu. https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.selu.html

    The gradient of `ops.selu` is wrong for negative values on CPU, so it is composed.
    """
    negative = exact(1.6732632423543772, input) * expm1_near_zero(ops.where(input > 0, 0.0, input))
    return exact(1.0507009873554805, input) * ops.where(input > 0, input, negative)


@equivalent("torch.nn.functional.celu", "torch.celu", differs=[INPLACE, difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(input).all()", zh="输入含 NaN 或无穷时结果不同")], opinfo="nn.functional.celu")
def celu(input, alpha=1.0, inplace=False):
    """max(0, x) + min(0, alpha · (exp(x / alpha) − 1)). https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.celu.html"""
    alpha = exact(alpha, input)
    return ops.where(input > 0, input, alpha * expm1_near_zero(ops.where(input > 0, 0.0, input) / alpha))


@equivalent("torch.nn.functional.gelu", differs=[difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(input).all()", zh="输入含 NaN 或无穷时结果不同")])
def gelu(input, approximate="none"):
    """x · Φ(x), exact or by tanh. https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.gelu.html"""
    return ops.gelu(input, approximate)


@equivalent("torch.nn.functional.silu", differs=[INPLACE])
def silu(input, inplace=False):
    """x · sigmoid(x). https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.silu.html"""
    return ops.silu(input)


@equivalent("torch.nn.functional.mish", differs=[INPLACE])
def mish(input, inplace=False):
    """x · tanh(softplus(x)), written without overflow: `ops.mish` is NaN from about 45 on.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.mish.html
    """
    u = ops.exp(-ops.abs(input))
    above = (1 + 2 * u) / (1 + 2 * u + 2 * u * u)
    below = (u * u + 2 * u) / (u * u + 2 * u + 2)
    return input * ops.where(input > 0, above, below)


@equivalent("torch.nn.functional.softplus")
def softplus(input, beta=1, threshold=20):
    """log(1 + exp(beta · x)) / beta; x itself where beta · x exceeds the threshold.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.softplus.html
    """
    return softplus_of(input, beta, threshold)


@equivalent("torch.nn.functional.softsign")
def softsign(input):
    """x / (1 + |x|). https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.softsign.html"""
    return ops.softsign(input)


@equivalent("torch.nn.functional.hardswish", differs=[INPLACE, difference("where the input is exactly -3 or 3 the gradient is another", risk="style", zh="输入恰为 ±3 时梯度不同"), difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(input).all()", zh="输入含 NaN 或无穷时结果不同")])
def hardswish(input, inplace=False):
    """x · relu6(x + 3) / 6. https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.hardswish.html"""
    return ops.hardswish(input)


@equivalent("torch.nn.functional.hardsigmoid", differs=[INPLACE])
def hardsigmoid(input, inplace=False):
    """relu6(x + 3) / 6. https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.hardsigmoid.html"""
    return ops.hardsigmoid(input)


@equivalent("torch.nn.functional.hardtanh", differs=[INPLACE])
def hardtanh(input, min_val=-1.0, max_val=1.0, inplace=False):
    """Clamped to [min_val, max_val]; the gradient at the bounds is 0, where `ops.clamp` has 1.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.hardtanh.html
    """
    if not input.is_floating_point():  # whole numbers stay what they are
        return ops.clamp(input, int(min_val), int(max_val))
    outside = ops.logical_or(input <= min_val, input >= max_val)
    return ops.where(outside, ops.stop_gradient(ops.clamp(input, min_val, max_val)), input)


@equivalent("torch.nn.functional.sigmoid", opinfo="sigmoid")
def sigmoid(input):
    """1 / (1 + e⁻ˣ). https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.sigmoid.html"""
    return ops.sigmoid(input)


@equivalent("torch.nn.functional.logsigmoid")
def logsigmoid(input):
    """log sigmoid(x), −softplus(−x).

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.logsigmoid.html
    """
    return -softplus_of(-input, 1, 40)


@equivalent("torch.nn.functional.tanhshrink")
def tanhshrink(input):
    """x − tanh(x). https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.tanhshrink.html"""
    return input - tanh_of(input)


@equivalent("torch.nn.functional.softshrink", differs=[difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(input).all()", zh="输入含 NaN 或无穷时结果不同")])
def softshrink(input, lambd=0.5):
    """Drawn to zero by lambd. https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.softshrink.html"""
    return ops.softshrink(input, lambd)


@equivalent("torch.nn.functional.hardshrink", "torch.hardshrink", "torch.Tensor.hardshrink", opinfo="nn.functional.hardshrink", differs=[difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(input).all()", zh="输入含 NaN 或无穷时结果不同")])
def hardshrink(input, lambd=0.5):
    """Zero within ±lambd. https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.hardshrink.html"""
    return ops.hardshrink(input, lambd)


@equivalent("torch.nn.functional.threshold", "torch.threshold", differs=[INPLACE, difference("an integer gets the value rounded towards zero", when="not input.is_floating_point()", zh="整数输入的替换值向零取整")], opinfo="nn.functional.threshold")
def threshold(input, threshold, value, inplace=False):
    """value where the input is not above the threshold."""
    return ops.where(input <= threshold, ops.full_like(input, value), input)


@equivalent("torch.nn.functional.prelu", "torch.prelu", "torch.Tensor.prelu", opinfo="nn.functional.prelu")
def prelu(input, weight):
    """Leaky relu whose slope is a tensor: one value, or one a channel (axis 1).

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.prelu.html
    """
    slope = weight.reshape(()) if input.ndim < 2 else weight.reshape(1, -1, *([1] * (input.ndim - 2)))
    return ops.where(input > 0, input, slope * input)


@equivalent("torch.nn.functional.glu")
def glu(input, dim=-1):
    """The first half times the sigmoid of the second. https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.glu.html"""
    # torch computes float16 in float32: infinity times a gate that float16 has as 0 is infinity.
    wide = input.astype(ms.float32) if input.dtype == ms.float16 else input
    first, second = ops.chunk(wide, 2, axis=dim)
    return (first * ops.sigmoid(second)).astype(input.dtype)


@equivalent("torch.nn.functional.rrelu", "torch.rrelu", random=True, opinfo="nn.functional.rrelu", differs=[INPLACE])
def rrelu(input, lower=1.0 / 8, upper=1.0 / 3, training=False, inplace=False):
    """Leaky relu with the mean slope; in training each element below 0 draws its own."""
    if training:
        return ops.where(input > 0, input, input * (lower + (upper - lower) * ops.rand_like(input)))
    return ops.where(input > 0, input, input * ((lower + upper) / 2))  # ops.leaky_relu has another gradient at 0
