"""Layers that normalise along one axis to a distribution."""

from mindspore import nn, ops

from mindport.declare import layer
from mindport.equivalents.softmax import guessed_axis, softmax_over


@layer("torch.nn.Softmax")
class Softmax(nn.Cell):
    """exp(x) / sum of exp(x) along `dim`; see `softmax_over` for what MindSpore's own layer gets wrong.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.Softmax.html
    """

    def __init__(self, dim=None):
        super().__init__()
        self.dim = dim

    def construct(self, input):
        return softmax_over(input, guessed_axis(input) if self.dim is None else self.dim)


@layer("torch.nn.LogSoftmax", attributes={"dim": "axis"}, base_suffices=True)
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
        return super().construct(input)


@layer("torch.nn.Softmin")
class Softmin(nn.Cell):
    """softmax(-x) along `dim`. https://docs.pytorch.org/docs/2.13/generated/torch.nn.Softmin.html"""

    def __init__(self, dim=None):
        super().__init__()
        self.dim = dim

    def construct(self, input):
        return softmax_over(-input, guessed_axis(input) if self.dim is None else self.dim)


@layer("torch.nn.Softmax2d", drops={"args": "torch ignores them", "kwargs": "torch ignores them"})
class Softmax2d(nn.Cell):
    """softmax over the channels of (N, C, H, W) or (C, H, W).

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.Softmax2d.html
    """

    def __init__(self, *args, **kwargs):
        super().__init__()

    def construct(self, x):
        return softmax_over(x, -3)
