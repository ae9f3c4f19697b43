"""Pooling to a given output size."""

from mindspore import nn, ops

from mindport.declare import Refused, difference, layer

NAN = difference("NaN in a window is lost on CPU", when="inputs and ms.isnan(inputs[0]).any()", zh="窗口中的 NaN 会丢失")


@layer("torch.nn.AdaptiveAvgPool1d")
class AdaptiveAvgPool1d(nn.Cell):
    """Mean over windows that tile the length; `nn.AdaptiveAvgPool1d` wants the output to divide the input.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.AdaptiveAvgPool1d.html
    """

    def __init__(self, output_size):
        super().__init__()
        self.output_size = output_size

    def construct(self, input):
        size = self.output_size[0] if isinstance(self.output_size, (tuple, list)) else self.output_size
        return ops.adaptive_avg_pool2d(input.expand_dims(-2), (1, size)).squeeze(-2)


@layer("torch.nn.AdaptiveAvgPool2d")
class AdaptiveAvgPool2d(nn.AdaptiveAvgPool2d):
    """Mean over windows that tile the last two axes.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.AdaptiveAvgPool2d.html
    """

    def __init__(self, output_size):
        super().__init__(output_size)


@layer("torch.nn.AdaptiveAvgPool3d")
class AdaptiveAvgPool3d(nn.AdaptiveAvgPool3d):
    """Mean over windows that tile the last three axes.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.AdaptiveAvgPool3d.html
    """

    def __init__(self, output_size):
        super().__init__(output_size)


@layer("torch.nn.AdaptiveMaxPool1d", differs=[NAN])
class AdaptiveMaxPool1d(nn.Cell):
    """Largest value of windows that tile the length.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.AdaptiveMaxPool1d.html
    """

    def __init__(self, output_size, return_indices=False):
        super().__init__()
        self.output_size = output_size
        self.return_indices = return_indices

    def construct(self, input):
        size = self.output_size[0] if isinstance(self.output_size, (tuple, list)) else self.output_size
        if self.return_indices:
            largest, index = ops.adaptive_max_pool2d(input.expand_dims(-2), (1, size), True)
            return largest.squeeze(-2), index.squeeze(-2)
        return ops.adaptive_max_pool2d(input.expand_dims(-2), (1, size)).squeeze(-2)


@layer("torch.nn.AdaptiveMaxPool2d", differs=[NAN])
class AdaptiveMaxPool2d(nn.AdaptiveMaxPool2d):
    """Largest value of windows that tile the last two axes.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.AdaptiveMaxPool2d.html
    """

    def __init__(self, output_size, return_indices=False):
        super().__init__(output_size, return_indices)


@layer("torch.nn.AdaptiveMaxPool3d", differs=[NAN])
class AdaptiveMaxPool3d(nn.AdaptiveMaxPool3d):
    """Largest value of windows that tile the last three axes.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.AdaptiveMaxPool3d.html
    """

    def __init__(self, output_size, return_indices=False):
        if isinstance(output_size, tuple | list) and None in output_size:
            raise Refused("None in output_size (the input's own size): write the number")
        if return_indices:
            raise Refused("return_indices: MindSpore gives int32 positions; take them from ops.adaptive_max_pool3d")
        super().__init__(output_size)
