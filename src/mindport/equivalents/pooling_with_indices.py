"""Pooling that gives the places of the largest values, too, under the names that end in _with_indices."""

from mindport.declare import difference, equivalent
from mindport.equivalents.pooling import adaptive_max_pool1d, adaptive_max_pool2d, max_pool1d, max_pool2d

NOT_FINITE = difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(input).all()", zh="输入含 NaN 或无穷时结果不同")


@equivalent("torch.nn.functional.max_pool1d_with_indices", drops={"return_indices": "both are returned anyway"}, differs=[NOT_FINITE])
def max_pool1d_with_indices(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """The largest value of each window of (N, C, L), and its place."""
    return max_pool1d(input, kernel_size, stride, padding, dilation, ceil_mode, True)


@equivalent("torch.nn.functional.max_pool2d_with_indices", drops={"return_indices": "both are returned anyway"}, differs=[NOT_FINITE])
def max_pool2d_with_indices(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """The largest value of each window of (N, C, H, W), and its place."""
    return max_pool2d(input, kernel_size, stride, padding, dilation, ceil_mode, True)


@equivalent("torch.nn.functional.adaptive_max_pool1d_with_indices", drops={"return_indices": "both are returned anyway"}, differs=[NOT_FINITE])
def adaptive_max_pool1d_with_indices(input, output_size, return_indices=False):
    """The largest value over windows that tile the last axis, and its place."""
    return adaptive_max_pool1d(input, output_size, True)


@equivalent("torch.nn.functional.adaptive_max_pool2d_with_indices", drops={"return_indices": "both are returned anyway"}, differs=[NOT_FINITE])
def adaptive_max_pool2d_with_indices(input, output_size, return_indices=False):
    """The largest value over windows that tile the last two axes, and its place."""
    return adaptive_max_pool2d(input, output_size, True)
