"""Quotients rounded towards zero: of whole numbers MindSpore's function computes them in float32 (``div(123456789, 10, rounding_mode="trunc")`` is one too many)."""

import mindspore as ms
from mindspore import Tensor, ops


def is_whole(number):
    """Whether it is a whole number, or a tensor of int32 or int64."""
    return type(number) is int or isinstance(number, Tensor) and number.dtype in (ms.int32, ms.int64)


def rounded(number, divisor, mode):
    """number / divisor by a rounding mode; whole numbers towards zero as the floored quotient, and one more where it is negative and something is left."""
    if mode != "trunc" or not is_whole(number) or not is_whole(divisor):
        return ops.div(number, divisor, rounding_mode=mode)
    found = ops.floor_divide(number, divisor)
    return found + ops.logical_and(found < 0, number != found * divisor).astype(found.dtype)
