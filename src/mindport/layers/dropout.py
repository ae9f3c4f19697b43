"""Dropout layers. They act while `training` is set, which in MindSpore it is not by default."""

from mindspore import nn, ops

from mindport.declare import difference, layer

KEPT = "the input keeps its values: code that reads it again sees them unchanged"
EMPTY_WHOLE = difference("an empty tensor of integers becomes float32", when="inputs and inputs[0].numel() == 0 and not inputs[0].is_floating_point()", zh="空整数张量变为 float32")
INPLACE = [difference(KEPT, when="inplace", zh="输入张量保持不变")]


@layer("torch.nn.Dropout", differs=INPLACE, base_suffices=True)
class Dropout(nn.Dropout):
    """Zeroes each element with probability `p` and scales the others by 1 / (1 - p); p = 1 raises in MindSpore.

    The first parameter of `nn.Dropout` is the probability to *keep*, so `p` is given by name; a `p` that is set later changes
    nothing there, because its operator has the probability already.
    https://docs.pytorch.org/docs/2.13/generated/torch.nn.Dropout.html
    """

    def __init__(self, p=0.5, inplace=False):
        super().__init__(p=p)

    def construct(self, input):
        return input * 0 if self.training and self.p == 1 else super(Dropout, self).construct(input)

    @property
    def p(self):
        return self._p

    @p.setter
    def p(self, value):
        if not 0 <= value <= 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {value}")
        self._p = value
        if value < 1:
            self.dropout = ops.Dropout(1.0 - value)


class _ByChannel(nn.Cell):
    """Zeroes whole channels. MindSpore's Dropout2D and Dropout3D draw, too, but only for one rank each."""

    trailing = 0

    def __init__(self, p, inplace):
        super().__init__()
        if not 0 <= p <= 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
        self.p = p
        self.inplace = inplace

    def construct(self, input):
        if not self.training or self.p == 0:
            return input
        if self.p == 1:
            return input * 0
        leading = input.shape[: input.ndim - self.trailing]
        kept = ops.rand(leading + (1,) * self.trailing) >= self.p
        return input * kept.astype(input.dtype) / (1 - self.p)


@layer("torch.nn.Dropout1d", differs=[*INPLACE, EMPTY_WHOLE])
class Dropout1d(_ByChannel):
    """Zeroes each channel of (N, C, *) with probability p, where * is 1 axes; others grow by 1 / (1 - p).

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.Dropout1d.html
    """

    trailing = 1

    def __init__(self, p=0.5, inplace=False):
        super().__init__(p, inplace)


@layer("torch.nn.Dropout2d", differs=[*INPLACE, EMPTY_WHOLE])
class Dropout2d(_ByChannel):
    """Zeroes each channel of (N, C, *) with probability p, where * is 2 axes; others grow by 1 / (1 - p).

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.Dropout2d.html
    """

    trailing = 2

    def __init__(self, p=0.5, inplace=False):
        super().__init__(p, inplace)


@layer("torch.nn.Dropout3d", differs=[*INPLACE, EMPTY_WHOLE])
class Dropout3d(_ByChannel):
    """Zeroes each channel of (N, C, *) with probability p, where * is 3 axes; others grow by 1 / (1 - p).

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.Dropout3d.html
    """

    trailing = 3

    def __init__(self, p=0.5, inplace=False):
        super().__init__(p, inplace)


@layer("torch.nn.AlphaDropout", differs=INPLACE)
class AlphaDropout(nn.Cell):
    """Dropout that keeps mean and variance of standard normal inputs: dropped elements become SELU's floor.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.AlphaDropout.html
    """

    def __init__(self, p=0.5, inplace=False):
        super().__init__()
        self.p = p
        self.inplace = inplace

    def construct(self, input):
        if not self.training or self.p == 0:
            return input
        if self.p == 1:
            return input * 0
        floor = -1.7580993408473766
        scale = ((floor * floor * self.p + 1) * (1 - self.p)) ** -0.5
        shift = -scale * floor * self.p
        kept = (ops.rand_like(input) >= self.p).astype(input.dtype)
        return scale * (input * kept + floor * (1 - kept)) + shift
