"""Activation layers. `inplace` is not followed: the input keeps its values."""

import mindspore as ms
from mindspore import nn, ops

from mindport.declare import Refused, difference, layer
from mindport.equivalents.activation import hardtanh
from mindport.equivalents.near_zero import expm1_near_zero, softplus_of
from mindport.equivalents.tangent import tanh_of

KEPT = "the input keeps its values: code that reads it again sees them unchanged"
KEPT_ZH = "输入张量保持不变"
INPLACE = [difference(KEPT, when="inplace", zh=KEPT_ZH)]
DEVICE = {"device": "MindSpore places every parameter on the device of the context"}
BOUND_6 = difference("where the input is exactly 6 the gradient is 1, torch's is 0", risk="style", zh="输入恰为 6 时梯度为 1")
BOUND_3 = difference("where the input is exactly -3 or 3 the gradient is another", risk="style", zh="输入恰为 ±3 时梯度不同")
NAN = difference("NaN in the input becomes a number on CPU", when="inputs and ms.isnan(inputs[0]).any()", zh="输入中的 NaN 变成数值")
NOT_FINITE = difference("NaN or infinity in the input gives another result on CPU", when="inputs and not ms.isfinite(inputs[0]).all()", zh="输入含 NaN 或无穷时结果不同")
WHOLE = difference("integers are computed in float32", when="inputs and not inputs[0].is_floating_point()", zh="整数以 float32 计算")
IGNORED = {"args": "torch ignores them", "kwargs": "torch ignores them"}


@layer("torch.nn.ReLU", differs=[*INPLACE, NAN])
class ReLU(nn.ReLU):
    """max(x, 0). https://docs.pytorch.org/docs/2.13/generated/torch.nn.ReLU.html"""

    def __init__(self, inplace=False):
        super().__init__()


@layer("torch.nn.ReLU6", differs=[*INPLACE, BOUND_6, NAN])
class ReLU6(nn.ReLU6):
    """min(max(x, 0), 6). https://docs.pytorch.org/docs/2.13/generated/torch.nn.ReLU6.html"""

    def __init__(self, inplace=False):
        super().__init__()


@layer("torch.nn.LeakyReLU", differs=INPLACE)
class LeakyReLU(nn.Cell):
    """x where x > 0, else negative_slope * x (MindSpore's own has 0.2 by default, and at 0 the mean of both slopes as its gradient).

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.LeakyReLU.html
    """

    def __init__(self, negative_slope=0.01, inplace=False):
        super().__init__()
        self.negative_slope = negative_slope

    def construct(self, x):
        return ops.where(x > 0, x, x * self.negative_slope)


@layer("torch.nn.ELU", differs=INPLACE, base_suffices=True)
class ELU(nn.ELU):
    """x where x > 0, else alpha * (exp(x) - 1); MindSpore's operator knows alpha = 1 only.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.ELU.html
    """

    def __init__(self, alpha=1.0, inplace=False):
        if alpha == 1:
            super().__init__()
        else:
            self.alpha = alpha
            super().__init__()

    def construct(self, x):
        alpha = getattr(self, "alpha", 1.0)
        if alpha == 1:
            return self.elu(x)
        return ops.where(x > 0, x, alpha * expm1_near_zero(ops.where(x > 0, ops.zeros_like(x), x)))


@layer("torch.nn.SELU", differs=INPLACE)
class SELU(nn.Cell):
    """scale * (x where x > 0, else alpha * (exp(x) - 1)); the gradient of MindSpore's `SeLU` is wrong for x < 0.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.SELU.html
    """

    def __init__(self, inplace=False):
        super().__init__()

    def construct(self, x):
        alpha, scale = 1.6732632423543772, 1.0507009873554805
        return scale * ops.where(x > 0, x, alpha * expm1_near_zero(ops.where(x > 0, ops.zeros_like(x), x)))


@layer("torch.nn.CELU", differs=INPLACE)
class CELU(nn.Cell):
    """max(x, 0) + min(alpha * (exp(x / alpha) - 1), 0).

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.CELU.html
    """

    def __init__(self, alpha=1.0, inplace=False):
        super().__init__()
        self.alpha = alpha

    def construct(self, x):
        return ops.where(x > 0, x, self.alpha * expm1_near_zero(ops.where(x > 0, ops.zeros_like(x), x) / self.alpha))


@layer("torch.nn.GELU", differs=[NOT_FINITE])
class GELU(nn.GELU):
    """x * Phi(x); approximate="tanh" for the approximation (MindSpore's own default).

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.GELU.html
    """

    def __init__(self, approximate="none"):
        if approximate == "none":
            super().__init__(approximate=False)
        elif approximate == "tanh":
            super().__init__(approximate=True)
        else:
            raise Refused("approximate is 'none' or 'tanh'")


@layer("torch.nn.SiLU", differs=INPLACE)
class SiLU(nn.SiLU):
    """x * sigmoid(x). https://docs.pytorch.org/docs/2.13/generated/torch.nn.SiLU.html"""

    def __init__(self, inplace=False):
        super().__init__()


@layer("torch.nn.Mish", differs=INPLACE)
class Mish(nn.Cell):
    """x * tanh(softplus(x)); `nn.Mish` is NaN from about 90 on, and its gradient is off by 7e-4.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.Mish.html
    """

    def __init__(self, inplace=False):
        super().__init__()

    def construct(self, x):
        u = ops.exp(-ops.abs(x))
        above = (1 + 2 * u) / (1 + 2 * u + 2 * u * u)
        below = (u * u + 2 * u) / (u * u + 2 * u + 2)
        return x * ops.where(x > 0, above, below)


@layer("torch.nn.Sigmoid", drops=IGNORED)
class Sigmoid(nn.Sigmoid):
    """1 / (1 + exp(-x)). https://docs.pytorch.org/docs/2.13/generated/torch.nn.Sigmoid.html"""

    def __init__(self, *args, **kwargs):
        super().__init__()


@layer("torch.nn.LogSigmoid", drops=IGNORED)
class LogSigmoid(nn.Cell):
    """log(sigmoid(x)); `nn.LogSigmoid` overflows to -inf below -88.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.LogSigmoid.html
    """

    def __init__(self, *args, **kwargs):
        super().__init__()

    def construct(self, x):
        return -softplus_of(-x, 1, 40)


@layer("torch.nn.Tanh", drops=IGNORED)
class Tanh(nn.Cell):
    """tanh(x); `nn.Tanh` is off by 1e-4 near 5, its gradient by 2e-4. https://docs.pytorch.org/docs/2.13/generated/torch.nn.Tanh.html"""

    def __init__(self, *args, **kwargs):
        super().__init__()

    def construct(self, x):
        return tanh_of(x)


@layer("torch.nn.Tanhshrink", drops=IGNORED)
class Tanhshrink(nn.Cell):
    """x - tanh(x). https://docs.pytorch.org/docs/2.13/generated/torch.nn.Tanhshrink.html"""

    def __init__(self, *args, **kwargs):
        super().__init__()

    def construct(self, x):
        return x - tanh_of(x)


@layer("torch.nn.Softsign", drops=IGNORED)
class Softsign(nn.Softsign):
    """x / (1 + |x|). https://docs.pytorch.org/docs/2.13/generated/torch.nn.Softsign.html"""

    def __init__(self, *args, **kwargs):
        super().__init__()


@layer("torch.nn.Hardswish", differs=[*INPLACE, BOUND_3])
class Hardswish(nn.HSwish):
    """x * relu6(x + 3) / 6. https://docs.pytorch.org/docs/2.13/generated/torch.nn.Hardswish.html"""

    def __init__(self, inplace=False):
        super().__init__()


@layer("torch.nn.Hardsigmoid", differs=INPLACE)
class Hardsigmoid(nn.HSigmoid):
    """relu6(x + 3) / 6. https://docs.pytorch.org/docs/2.13/generated/torch.nn.Hardsigmoid.html"""

    def __init__(self, inplace=False):
        super().__init__()


@layer("torch.nn.Hardtanh", differs=[*INPLACE, WHOLE])
class Hardtanh(nn.Cell):
    """min(max(x, min_val), max_val), with the gradient 0 at the bounds.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.Hardtanh.html
    """

    def __init__(self, min_val=-1.0, max_val=1.0, inplace=False, min_value=None, max_value=None):
        if min_value is not None or max_value is not None:
            raise Refused("min_value and max_value are old names: write min_val and max_val")
        super().__init__()
        self.min_val, self.max_val = min_val, max_val

    def construct(self, x):
        return hardtanh(x, self.min_val, self.max_val)


@layer("torch.nn.Hardshrink", differs=[NAN])
class Hardshrink(nn.HShrink):
    """x where |x| > lambd, else 0. https://docs.pytorch.org/docs/2.13/generated/torch.nn.Hardshrink.html"""

    def __init__(self, lambd=0.5):
        super().__init__(lambd)


@layer("torch.nn.Softshrink", differs=[NAN])
class Softshrink(nn.SoftShrink):
    """x - lambd above lambd, x + lambd below -lambd, else 0.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.Softshrink.html
    """

    def __init__(self, lambd=0.5):
        super().__init__(lambd)


@layer("torch.nn.Threshold", differs=[*INPLACE, NAN])
class Threshold(nn.Threshold):
    """x where x > threshold, else value. https://docs.pytorch.org/docs/2.13/generated/torch.nn.Threshold.html"""

    def __init__(self, threshold, value, inplace=False):
        super().__init__(threshold, value)


@layer("torch.nn.Softplus")
class Softplus(nn.Cell):
    """log(1 + exp(beta * x)) / beta, x itself where beta * x > threshold.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.Softplus.html
    """

    def __init__(self, beta=1.0, threshold=20.0):
        super().__init__()
        self.beta = beta
        self.threshold = threshold

    def construct(self, x):
        return softplus_of(x, self.beta, self.threshold)


@layer(
    "torch.nn.GLU", attributes={"dim": "dim"},
    differs=[difference(
        "in float16 infinity times a gate below 6e-8 is NaN; torch computes in float32, and gives infinity",
        when="inputs and inputs[0].dtype == ms.float16 and not ms.isfinite(inputs[0].astype(ms.float32)).all()", zh="float16 下无穷乘以极小的门控值为 NaN，torch 为无穷",
    )],
)  # fmt: skip
class GLU(nn.GLU):
    """The first half along `dim` times the sigmoid of the second.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.GLU.html
    """

    def __init__(self, dim=-1):
        super().__init__(axis=dim)


@layer("torch.nn.PReLU", state={"weight": "w"}, drops=DEVICE, base_suffices=True)
class PReLU(nn.PReLU):
    """x where x > 0, else weight * x, one weight or one for each channel.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.PReLU.html
    """

    def __init__(self, num_parameters=1, init=0.25, device=None, dtype=None):
        if dtype is not None and dtype != ms.float32:
            raise Refused("dtype other than float32: build the layer in float32 and call to_float() on it")
        super().__init__(num_parameters, init)

    def __setattr__(self, name, value):
        super().__setattr__("w" if name == "weight" else name, value)

    @property
    def weight(self):
        return self.w


@layer("torch.nn.RReLU", differs=INPLACE)
class RReLU(nn.Cell):
    """LeakyReLU with a slope drawn for each element while training, and the mean slope otherwise.

    `nn.RReLU` draws in evaluation too.
    https://docs.pytorch.org/docs/2.13/generated/torch.nn.RReLU.html
    """

    def __init__(self, lower=0.125, upper=0.3333333333333333, inplace=False):
        super().__init__()
        self.lower = lower
        self.upper = upper

    def construct(self, x):
        slope = (self.lower + self.upper) / 2
        if self.training:
            slope = (ops.rand_like(x) * (self.upper - self.lower) + self.lower).astype(x.dtype)
        return ops.where(x > 0, x, x * slope)
