"""Layers that normalise along one axis to a distribution."""

from mindspore import nn, ops

from mindport.declare import Refused, layer


@layer("torch.nn.Softmax", attributes={"dim": "axis"})
class Softmax(nn.Softmax):
    """exp(x) / sum of exp(x) along `dim`. https://docs.pytorch.org/docs/2.13/generated/torch.nn.Softmax.html"""

    def __init__(self, dim=None):
        if dim is None:
            raise Refused("dim=None chooses the axis by rank (0 for 0, 1 and 3 axes, else 1): write dim")
        super().__init__(axis=dim)


@layer("torch.nn.LogSoftmax", attributes={"dim": "axis"})
class LogSoftmax(nn.LogSoftmax):
    """x - log of the sum of exp(x) along `dim`.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.LogSoftmax.html
    """

    def __init__(self, dim=None):
        if dim is None:
            raise Refused("dim=None chooses the axis by rank (0 for 0, 1 and 3 axes, else 1): write dim")
        super().__init__(axis=dim)


@layer("torch.nn.Softmin")
class Softmin(nn.Softmin):
    """softmax(-x) along `dim`. https://docs.pytorch.org/docs/2.13/generated/torch.nn.Softmin.html"""

    def __init__(self, dim=None):
        if dim is None:
            raise Refused("dim=None chooses the axis by rank (0 for 0, 1 and 3 axes, else 1): write dim")
        super().__init__(axis=dim)


@layer("torch.nn.Softmax2d", drops={"args": "torch ignores them", "kwargs": "torch ignores them"})
class Softmax2d(nn.Cell):
    """softmax over the channels of (N, C, H, W) or (C, H, W).

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.Softmax2d.html
    """

    def __init__(self, *args, **kwargs):
        super().__init__()

    def construct(self, x):
        return ops.softmax(x, -3)
