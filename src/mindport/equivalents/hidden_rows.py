"""softmax of scores that masks may hide altogether: rows of nothing but -infinity.

torch has NaN in such a row alone (`scaled_dot_product_attention`: 0). MindSpore's kernel on CPU stops there and leaves the rows behind it unwritten,
whatever stood in memory (docs/differences/layers.md).
"""

import math

from mindspore import Tensor, ops

from mindport.declare import difference, equivalent
from mindport.equivalents.softmax import STACKLEVEL, guessed_axis, softmax_over

NOT_FINITE = difference("NaN or +infinity in the input gives another result on CPU", when="ms.isnan(input).any() or (input == ms.numpy.inf).any()", zh="输入含 NaN 或正无穷时结果不同")


def hides(x, dim):
    """Where a row along an axis is nothing but -infinity; the axis stays, with length 1."""
    return ops.amax(ops.stop_gradient(x), dim, True) == Tensor(-math.inf, x.dtype)


def softmax_of_rows(x, dim):
    """softmax along an axis, NaN in a row that is hidden, as its gradient is."""
    if x.ndim == 0:
        return softmax_over(x, dim)
    return softmax_over(x + ops.where(hides(x, dim), Tensor(math.nan, x.dtype), Tensor(0, x.dtype)), dim)


def softmax_or_nothing(x, dim):
    """softmax along an axis, 0 in a row that is hidden, as its gradient is."""
    hidden, nothing = hides(x, dim), Tensor(0, x.dtype)
    return ops.where(hidden, nothing, softmax_over(ops.where(hidden, nothing, x), dim))


@equivalent("torch.softmax_of_hidden", "torch.Tensor.softmax_of_hidden", "torch.special.softmax_of_hidden", opinfo="softmax", differs=[NOT_FINITE])
def hidden_softmax(input, dim, dtype=None):
    """eˣ, normalised to sum 1 along an axis. https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.softmax.html"""
    return softmax_of_rows(input if dtype is None else input.astype(dtype), dim)


@equivalent("torch.nn.functional.softmax_of_hidden", drops=STACKLEVEL, opinfo="softmax", differs=[NOT_FINITE])
def hidden_softmax_function(input, dim=None, _stacklevel=3, dtype=None):
    """eˣ, normalised to sum 1; without `dim` over the axis that torch guesses. https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.softmax.html"""
    return hidden_softmax(input, guessed_axis(input) if dim is None else dim, dtype)
