"""Pooling by a p-norm, composed from average pooling."""

from mindspore import ops

from mindport.declare import difference, equivalent
from mindport.equivalents.pooling import avg_pool3d


def norm_of_mean(mean, count, norm_type):
    """The p-norm, from the mean of the p-th powers, as torch composes it: a negative sum keeps its sign, and nothing has no gradient."""
    signed = ops.sign(mean) * ops.relu(ops.abs(mean))
    return ops.pow(ops.where(ops.isnan(mean), mean, signed) * count, 1.0 / norm_type)  # MindSpore's relu of NaN is 0


@equivalent("torch.nn.functional.lp_pool1d", differs=[difference("float64 is computed with the accuracy of float32", when="input.dtype == ms.float64", zh="float64 只有 float32 的精度"), difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(input).all()", zh="输入含 NaN 或无穷时结果不同")])
def lp_pool1d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    """The p-norm of each window of (N, C, L).

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.lp_pool1d.html
    """
    width = kernel_size if isinstance(kernel_size, int) else kernel_size[0]
    step = width if stride is None else stride if isinstance(stride, int) else stride[0]
    x = input if input.ndim == 3 else input.unsqueeze(0)
    mean = ops.avg_pool2d(ops.pow(x, norm_type).unsqueeze(2), (1, width), (1, step), 0, ceil_mode).squeeze(2)
    found = norm_of_mean(mean, width, norm_type)
    return found if input.ndim == 3 else found.squeeze(0)


@equivalent("torch.nn.functional.lp_pool2d", differs=[difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(input).all()", zh="输入含 NaN 或无穷时结果不同"), difference("float64 is computed with less precision", when="input.dtype == ms.float64", zh="float64 精度较低")])
def lp_pool2d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    """The p-norm of each window of (N, C, H, W).

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.lp_pool2d.html
    """
    window = (kernel_size, kernel_size) if isinstance(kernel_size, int) else tuple(kernel_size)
    step = window if stride is None else (stride, stride) if isinstance(stride, int) else tuple(stride)
    x = input if input.ndim == 4 else input.unsqueeze(0)
    found = norm_of_mean(ops.avg_pool2d(ops.pow(x, norm_type), window, step, 0, ceil_mode), window[0] * window[1], norm_type)
    return found if input.ndim == 4 else found.squeeze(0)


@equivalent("torch.nn.functional.lp_pool3d", differs=[difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(input).all()", zh="输入含 NaN 或无穷时结果不同"), difference("float64 is computed with less precision", when="input.dtype == ms.float64", zh="float64 精度较低")])
def lp_pool3d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    """The p-norm of each window of (N, C, D, H, W).

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.lp_pool3d.html
    """
    window = (kernel_size,) * 3 if isinstance(kernel_size, int) else tuple(kernel_size)
    step = window if stride is None else (stride,) * 3 if isinstance(stride, int) else tuple(stride)
    x = input if input.ndim == 5 else input.unsqueeze(0)
    mean = avg_pool3d(ops.pow(x, norm_type), window, step, 0, ceil_mode)
    found = norm_of_mean(mean, window[0] * window[1] * window[2], norm_type)
    return found if input.ndim == 5 else found.squeeze(0)
