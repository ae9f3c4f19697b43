"""Pooling layers. MindSpore's default stride is 1 where torch's is the window's size."""

import math

from mindspore import nn, ops

from mindport.declare import difference, layer
from mindport.equivalents.norm_pooling import norm_of_mean
from mindport.equivalents.python_data import each_axis, seen_list

WHOLE = difference("integers are padded with 0, and of equal ones another position is given", when="inputs and not inputs[0].is_floating_point()", zh="整数按 0 填充，相等值的位置不同")
NOT_FINITE = difference("NaN or infinity in the input gives another result on CPU", when="inputs and not ms.isfinite(inputs[0]).all()", zh="输入含 NaN 或无穷时结果不同")
DOUBLE = difference("float64 is computed with the accuracy of float32", when="inputs and inputs[0].dtype == ms.float64", zh="float64 只有 float32 的精度")


@layer("torch.nn.MaxPool1d", differs=[WHOLE, NOT_FINITE])
class MaxPool1d(nn.MaxPool1d):
    """Largest value of each window of (N, C, L); with return_indices also its flat position.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.MaxPool1d.html
    """

    def __init__(
        self, kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False
    ):
        if stride is None:
            stride = kernel_size
        if padding == 0 and dilation == 1 and not return_indices and not ceil_mode:
            super().__init__(kernel_size, stride)
        else:
            super().__init__(
                kernel_size, stride, pad_mode="pad", padding=padding, dilation=dilation,
                return_indices=return_indices, ceil_mode=ceil_mode,
            )


@layer("torch.nn.MaxPool2d", differs=[WHOLE])
class MaxPool2d(nn.MaxPool2d):
    """Largest value of each window of (N, C, H, W); with return_indices also its flat position.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.MaxPool2d.html
    """

    def __init__(
        self, kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False
    ):
        if stride is None:
            stride = kernel_size
        if seen_list(kernel_size) or seen_list(stride) or seen_list(padding):
            kernel_size, stride, padding = each_axis(2, kernel_size, stride, padding)
        if padding == 0 and dilation == 1 and not return_indices and not ceil_mode:
            super().__init__(kernel_size, stride)
        else:
            super().__init__(
                kernel_size, stride, pad_mode="pad", padding=padding, dilation=dilation,
                return_indices=return_indices, ceil_mode=ceil_mode,
            )


@layer("torch.nn.MaxPool3d", differs=[WHOLE, NOT_FINITE])
class MaxPool3d(nn.MaxPool3d):
    """Largest value of each window of (N, C, D, H, W); with return_indices also its flat position.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.MaxPool3d.html
    """

    def __init__(
        self, kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False
    ):
        if stride is None:
            stride = kernel_size
        if seen_list(kernel_size) or seen_list(stride) or seen_list(padding):
            kernel_size, stride, padding = each_axis(3, kernel_size, stride, padding)
        if padding == 0 and dilation == 1 and not return_indices and not ceil_mode:
            super().__init__(kernel_size, stride)
        else:
            super().__init__(
                kernel_size, stride, pad_mode="pad", padding=padding, dilation=dilation,
                return_indices=return_indices, ceil_mode=ceil_mode,
            )


@layer("torch.nn.AvgPool1d", differs=[DOUBLE])
class AvgPool1d(nn.AvgPool1d):
    """Mean of each window of (N, C, L).

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.AvgPool1d.html
    """

    def __init__(self, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
        if stride is None:
            stride = kernel_size
        if padding == 0 and not ceil_mode:
            super().__init__(kernel_size, stride)
        else:
            super().__init__(
                kernel_size, stride, pad_mode="pad", padding=padding, ceil_mode=ceil_mode,
                count_include_pad=count_include_pad,
            )


@layer("torch.nn.AvgPool2d", differs=[DOUBLE])
class AvgPool2d(nn.AvgPool2d):
    """Mean of each window of (N, C, H, W).

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.AvgPool2d.html
    """

    def __init__(self, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None):
        if stride is None:
            stride = kernel_size
        if seen_list(kernel_size) or seen_list(stride) or seen_list(padding):
            kernel_size, stride, padding = each_axis(2, kernel_size, stride, padding)
        if padding == 0 and not ceil_mode and divisor_override is None:
            super().__init__(kernel_size, stride)
        else:
            super().__init__(
                kernel_size, stride, pad_mode="pad", padding=padding, ceil_mode=ceil_mode,
                count_include_pad=count_include_pad,
                divisor_override=divisor_override,
            )


@layer("torch.nn.AvgPool3d", differs=[DOUBLE])
class AvgPool3d(nn.AvgPool3d):
    """Mean of each window of (N, C, D, H, W).

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.AvgPool3d.html
    """

    def __init__(self, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None):
        if stride is None:
            stride = kernel_size
        if seen_list(kernel_size) or seen_list(stride) or seen_list(padding):
            kernel_size, stride, padding = each_axis(3, kernel_size, stride, padding)
        if padding == 0 and not ceil_mode and divisor_override is None:
            super().__init__(kernel_size, stride)
        else:
            super().__init__(
                kernel_size, stride, pad_mode="pad", padding=padding, ceil_mode=ceil_mode,
                count_include_pad=count_include_pad,
                divisor_override=divisor_override,
            )


def window_size(kernel_size, axes):
    """The number of elements of a window."""
    return kernel_size**axes if isinstance(kernel_size, int) else math.prod(kernel_size)


@layer("torch.nn.LPPool1d", differs=[DOUBLE])
class LPPool1d(nn.Cell):
    """The p-norm of each window of (N, C, L).

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.LPPool1d.html
    """

    def __init__(self, norm_type, kernel_size, stride=None, ceil_mode=False):
        super().__init__()
        self.norm_type = float(norm_type)
        self.size = window_size(kernel_size, 1)
        self.mean = AvgPool1d(kernel_size, stride, 0, ceil_mode)

    def construct(self, input):
        return norm_of_mean(self.mean(ops.pow(input, self.norm_type)), self.size, self.norm_type)


@layer("torch.nn.LPPool2d", differs=[DOUBLE])
class LPPool2d(nn.Cell):
    """The p-norm of each window of (N, C, H, W).

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.LPPool2d.html
    """

    def __init__(self, norm_type, kernel_size, stride=None, ceil_mode=False):
        super().__init__()
        self.norm_type = float(norm_type)
        self.size = window_size(kernel_size, 2)
        self.mean = AvgPool2d(kernel_size, stride, 0, ceil_mode)

    def construct(self, input):
        return norm_of_mean(self.mean(ops.pow(input, self.norm_type)), self.size, self.norm_type)


@layer("torch.nn.LPPool3d", differs=[DOUBLE])
class LPPool3d(nn.Cell):
    """The p-norm of each window of (N, C, D, H, W).

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.LPPool3d.html
    """

    def __init__(self, norm_type, kernel_size, stride=None, ceil_mode=False):
        super().__init__()
        self.norm_type = float(norm_type)
        self.size = window_size(kernel_size, 3)
        self.mean = AvgPool3d(kernel_size, stride, 0, ceil_mode)

    def construct(self, input):
        return norm_of_mean(self.mean(ops.pow(input, self.norm_type)), self.size, self.norm_type)


@layer("torch.nn.MaxUnpool1d")
class MaxUnpool1d(nn.MaxUnpool1d):
    """Puts values back where MaxPool1d(return_indices=True) found them, zeros elsewhere.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.MaxUnpool1d.html
    """

    def __init__(self, kernel_size, stride=None, padding=0):
        super().__init__(kernel_size, stride, padding)


@layer("torch.nn.MaxUnpool2d")
class MaxUnpool2d(nn.MaxUnpool2d):
    """Puts values back where MaxPool2d(return_indices=True) found them, zeros elsewhere.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.MaxUnpool2d.html
    """

    def __init__(self, kernel_size, stride=None, padding=0):
        super().__init__(kernel_size, stride, padding)


@layer("torch.nn.MaxUnpool3d")
class MaxUnpool3d(nn.MaxUnpool3d):
    """Puts values back where MaxPool3d(return_indices=True) found them, zeros elsewhere.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.MaxUnpool3d.html
    """

    def __init__(self, kernel_size, stride=None, padding=0):
        super().__init__(kernel_size, stride, padding)
