"""Layers that normalise along one axis to a distribution."""

from mindspore import nn, ops

from mindport.declare import difference, layer
from mindport.equivalents.hidden_rows import softmax_of_rows
from mindport.equivalents.softmax import guessed_axis, softmax_over
from mindport.equivalents.tangent import ON_CPU

NOT_FINITE = difference("NaN, infinity or a row of -infinity in the input gives another result on CPU", when="inputs and not ms.isfinite(inputs[0]).all()", zh="输入含 NaN、无穷或整行为负无穷时结果不同")
NOT_NUMBERS = difference("NaN or +infinity in the input gives another result on CPU", when="inputs and (ms.isnan(inputs[0]).any() or (inputs[0] == ms.numpy.inf).any())", zh="输入含 NaN 或正无穷时结果不同")
DOUBLE = difference("float64 is computed with the accuracy of float32", when="inputs and inputs[0].dtype == ms.float64", zh="float64 只有 float32 的精度")
NO_AXES = difference("the gradient of a tensor without axes never ends on CPU", when="inputs and inputs[0].ndim == 0", risk="loud", zh="零维张量的梯度在 CPU 上不会结束")


@layer("torch.nn.Softmax", differs=[NOT_NUMBERS])
class Softmax(nn.Cell):
    """exp(x) / sum of exp(x) along `dim`; see `softmax_over` and `hidden_rows` for what MindSpore's own layer gets wrong.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.Softmax.html
    """

    def __init__(self, dim=None):
        super().__init__()
        self.dim = dim

    def construct(self, input):
        axis = guessed_axis(input) if self.dim is None else self.dim
        return softmax_of_rows(input, axis) if ON_CPU and input.is_floating_point() else softmax_over(input, axis)


@layer("torch.nn.LogSoftmax", attributes={"dim": "axis"}, base_suffices=True, differs=[DOUBLE, NOT_FINITE, NO_AXES])
class LogSoftmax(nn.LogSoftmax):
    """x - log of the sum of exp(x) along `dim`.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.LogSoftmax.html
    """

    unnamed = False

    def __init__(self, dim=None):
        if dim is not None:
            super().__init__(axis=dim)
        else:
            self.unnamed = True
            super().__init__()

    def construct(self, input):
        if self.unnamed:
            return ops.log_softmax(input, guessed_axis(input))
        return super(LogSoftmax, self).construct(input)


@layer("torch.nn.Softmin", differs=[NOT_FINITE])
class Softmin(nn.Cell):
    """softmax(-x) along `dim`. https://docs.pytorch.org/docs/2.13/generated/torch.nn.Softmin.html"""

    def __init__(self, dim=None):
        super().__init__()
        self.dim = dim

    def construct(self, input):
        return softmax_over(-input, guessed_axis(input) if self.dim is None else self.dim)


@layer("torch.nn.Softmax2d", drops={"args": "torch ignores them", "kwargs": "torch ignores them"}, differs=[NOT_FINITE])
class Softmax2d(nn.Cell):
    """softmax over the channels of (N, C, H, W) or (C, H, W).

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.Softmax2d.html
    """

    def __init__(self, *args, **kwargs):
        super().__init__()

    def construct(self, x):
        return softmax_over(x, -3)
