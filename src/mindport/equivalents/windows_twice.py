"""Means of windows by the primitive whose backward pass has a rule (registered_pooling.py): that of `ops.avg_pool2d` has none."""

from mindport.declare import difference, equivalent
from mindport.equivalents.pooling import _size, avg_pool2d
from mindport.equivalents.registered_pooling import averaging

#: How primitives call windows that lie within the borders.
VALID = 2


BORDERS = difference("windows over borders and other divisors have no second gradient (it raises)", when="padding not in (0, (0, 0)) or ceil_mode or divisor_override is not None", risk="loud", zh="越界窗口或自定义除数没有二阶梯度")


@equivalent("torch.nn.functional.avg_pool2d_of_windows_differentiated_twice", opinfo="nn.functional.avg_pool2d", differs=[difference("float64 is computed with the accuracy of float32", when="input.dtype == ms.float64", zh="float64 只有 float32 的精度"), BORDERS])
def means_of_windows(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None):
    """The mean of each window of (N, C, H, W); windows over borders have no second gradient (it raises).

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.avg_pool2d.html
    """
    if input.ndim != 4 or padding not in (0, (0, 0), [0, 0], (0,), [0]) or ceil_mode or divisor_override is not None or not input.is_floating_point():
        return avg_pool2d(input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)
    return averaging(_size(kernel_size, 2), _size(kernel_size if stride in (None, (), []) else stride, 2), VALID)(input)
