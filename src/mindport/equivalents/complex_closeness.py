"""Closeness of complex tensors, by their moduli: MindSpore's `isclose` takes real ones only."""

import mindspore as ms
from mindspore import ops

from mindport.declare import equivalent
from mindport.equivalents.complex_products import absolute, parts


def equal_parts(a, b):
    """Where two tensors have the same real and the same imaginary part."""
    return ops.logical_and(*(ops.equal(one, other) for one, other in zip(parts(a), parts(b))))


def is_nan(a):
    """Where a part of a tensor is NaN."""
    return ops.logical_or(*map(ops.isnan, parts(a)))


@equivalent("torch.isclose_of_complex", "torch.Tensor.isclose_of_complex", opinfo="isclose")
def complex_isclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    """|input - other| <= atol + rtol * |other|. https://docs.pytorch.org/docs/2.13/generated/torch.isclose.html"""
    difference = input - other
    if difference.size == 0:  # no part can be taken of it
        return ops.zeros(difference.shape, ms.bool_)
    difference = absolute(difference)
    close = ops.logical_and(ops.isfinite(difference), ops.less_equal(difference, absolute(other) * rtol + atol))
    close = ops.logical_or(equal_parts(input, other), close)
    return ops.logical_or(close, ops.logical_and(is_nan(input), is_nan(other))) if equal_nan else close


@equivalent("torch.allclose_of_complex", "torch.Tensor.allclose_of_complex", opinfo="allclose")
def complex_allclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    """Whether every element is close: a Python bool. https://docs.pytorch.org/docs/2.13/generated/torch.allclose.html"""
    return complex_isclose(input, other, rtol, atol, equal_nan).all().item()
