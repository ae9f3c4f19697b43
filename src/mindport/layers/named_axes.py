"""einops's layers: a pattern as a part of a network."""

from mindspore import nn

from mindport.declare import difference, layer
from mindport.equivalents.named_axes import rearrange, reduce


@layer("einops.layers.torch.Rearrange")
class Rearrange(nn.Cell):
    """Axes split, permuted and joined as the pattern says. https://einops.rocks/api/rearrange/"""

    def __init__(self, pattern, **axes_lengths):
        super().__init__()
        self.pattern = pattern
        self.axes_lengths = axes_lengths

    def construct(self, x):
        return rearrange(x, self.pattern, **self.axes_lengths)


@layer("einops.layers.torch.Reduce", differs=[difference("NaN or infinity in the input gives another result on CPU", when="inputs and not ms.isfinite(inputs[0]).all()", zh="输入含 NaN 或无穷时结果不同")])
class Reduce(nn.Cell):
    """As `Rearrange`; axes that stand on the left only are reduced. https://einops.rocks/api/reduce/"""

    def __init__(self, pattern, reduction, **axes_lengths):
        super().__init__()
        self.pattern = pattern
        self.reduction = reduction
        self.axes_lengths = axes_lengths

    def construct(self, x):
        return reduce(x, self.pattern, self.reduction, **self.axes_lengths)
