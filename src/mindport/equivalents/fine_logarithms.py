"""Logarithms whose differences count: of a divergence between distributions that are nearly the same, as a student's and its teacher's.

MindSpore's kernels of float32 on CPU are off by 3e-7 (log) to 4e-6 (exp), all to one side: `kl_div(log_softmax(a), softmax(b))` of 1.5e-4 by 5e-3 of its value, where torch is off by 1.5e-5.
Through the kernels of float64 it is as good as torch's (9e-6 there). On other devices float32 stays.
"""

import mindspore as ms
from mindspore import ops

from mindport.declare import difference, equivalent
from mindport.equivalents.softmax import NO_AXES, STACKLEVEL, guessed_axis, softmax_over
from mindport.equivalents.tangent import ON_CPU

INFINITE = difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(input).all()", zh="输入含 NaN 或无穷时结果不同")


def fine_log(x):
    """The logarithm, float32 by the kernel of float64 on CPU."""
    return ops.log(x.astype(ms.float64)).astype(ms.float32) if ON_CPU and x.dtype == ms.float32 else ops.log(x)


def below_largest(x, dim):
    """x less its largest number along an axis, in float64."""
    doubled = x.astype(ms.float64)
    return doubled - ops.stop_gradient(ops.amax(doubled, dim, True))


@equivalent("torch.log_softmax_of_differences", "torch.Tensor.log_softmax_of_differences", "torch.special.log_softmax_of_differences", opinfo="log_softmax", differs=[INFINITE, NO_AXES])
def fine_log_softmax(input, dim, dtype=None):
    """The logarithm of softmax. https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.log_softmax.html"""
    x = input if dtype is None else input.astype(dtype)
    if not ON_CPU or x.dtype not in (ms.float32, ms.float64) or x.ndim == 0:
        return ops.log_softmax(x, dim)
    y = below_largest(x, dim)
    return (y - ops.log(ops.sum(ops.exp(y), dim, True))).astype(x.dtype)


@equivalent("torch.nn.functional.log_softmax_of_differences", drops=STACKLEVEL, opinfo="log_softmax", differs=[INFINITE, NO_AXES])
def fine_log_softmax_function(input, dim=None, _stacklevel=3, dtype=None):
    """The logarithm of softmax; without `dim` over the axis that torch guesses. https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.log_softmax.html"""
    return fine_log_softmax(input, guessed_axis(input) if dim is None else dim, dtype)


@equivalent("torch.softmax_of_differences", "torch.Tensor.softmax_of_differences", "torch.special.softmax_of_differences", opinfo="softmax", differs=[INFINITE])
def fine_softmax(input, dim, dtype=None):
    """eˣ, normalised to sum 1 along an axis. https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.softmax.html"""
    x = input if dtype is None else input.astype(dtype)
    if not ON_CPU or x.dtype not in (ms.float32, ms.float64) or x.ndim == 0:
        return softmax_over(x, dim)
    y = ops.exp(below_largest(x, dim))
    return (y / ops.sum(y, dim, True)).astype(x.dtype)


@equivalent("torch.nn.functional.softmax_of_differences", drops=STACKLEVEL, opinfo="softmax", differs=[INFINITE])
def fine_softmax_function(input, dim=None, _stacklevel=3, dtype=None):
    """eˣ, normalised to sum 1; without `dim` over the axis that torch guesses. https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.softmax.html"""
    return fine_softmax(input, guessed_axis(input) if dim is None else dim, dtype)
