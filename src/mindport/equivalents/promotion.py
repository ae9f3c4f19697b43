"""One dtype for tensors that are joined."""

import mindspore as ms
from mindspore import Tensor

from mindport.equivalents.queries import promote_types


def promoted(tensors):
    """The tensors in the dtype that torch gives their join. Source: torch's type promotion rules."""
    common = tensors[0].dtype
    for x in tensors[1:]:
        if x.dtype != common:
            common = promote_types(common, x.dtype)
    return [x if x.dtype == common else x.astype(common) for x in tensors]


def beside(value, tensor):
    """A tensor without axes in the dtype of the tensor that it meets, where both are whole numbers or both floating point.

    Source: torch's type promotion rules.
    """
    if not isinstance(value, Tensor) or not isinstance(tensor, Tensor) or value.dtype == tensor.dtype or value.ndim > 0 or tensor.ndim == 0:
        return value
    if value.is_floating_point() != tensor.is_floating_point() or value.dtype == ms.bool_ or tensor.dtype == ms.bool_:
        return value
    return value.astype(tensor.dtype)


def keeping_dtype(sign, left, right):
    """An operation of two tensors in the dtype of the one with axes. Source: torch's type promotion rules."""
    left, right = beside(left, right), beside(right, left)
    if sign == "+":
        return left + right
    if sign == "-":
        return left - right
    if sign == "*":
        return left * right
    if sign == "/":
        return left / right
    if sign == "//":
        return left // right
    if sign == "%":
        return left % right
    if sign == "**":
        return left**right
    if sign == "&":
        return left & right
    return left | right if sign == "|" else left ^ right
