"""Logical and bitwise operations."""

import mindspore as ms
from mindspore import ops

from mindport.declare import Refused, difference, equivalent

COMPLEX_NAN = difference("a complex NaN counts as zero on CPU", when="ms.tensor(input).is_complex() and ms.isnan(ms.tensor(input) + other).any()", zh="复数 NaN 被视为零")
SELF_COMPLEX_NAN = difference("a complex NaN counts as zero on CPU", when="self.is_complex() and ms.isnan(self + other).any()", zh="复数 NaN 被视为零")
FAR = difference("a shift by a negative number, or by all the bits and more, is taken modulo the number of bits", when="(ms.tensor(other) < 0).any() or (ms.tensor(other) >= 8 * ms.tensor(input).itemsize).any()", zh="负数或超出位数的移位按位数取模")
SELF_FAR = difference("a shift by a negative number, or by all the bits and more, is taken modulo the number of bits", when="(ms.tensor(other) < 0).any() or (ms.tensor(other) >= 8 * self.itemsize).any()", zh="负数或超出位数的移位按位数取模")



@equivalent("torch.logical_and")
def logical_and(input, other, *, out=None):
    """True where both are nonzero. https://docs.pytorch.org/docs/2.13/generated/torch.logical_and.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.logical_and(input, other)


@equivalent("torch.Tensor.logical_and")
def tensor_logical_and(self, other):
    """True where both are nonzero."""
    return self.logical_and(other)


@equivalent("torch.logical_or")
def logical_or(input, other, *, out=None):
    """True where either is nonzero. https://docs.pytorch.org/docs/2.13/generated/torch.logical_or.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.logical_or(input, other)


@equivalent("torch.Tensor.logical_or")
def tensor_logical_or(self, other):
    """True where either is nonzero."""
    return self.logical_or(other)


@equivalent("torch.logical_xor", differs=[COMPLEX_NAN])
def logical_xor(input, other, *, out=None):
    """True where exactly one is nonzero. https://docs.pytorch.org/docs/2.13/generated/torch.logical_xor.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.logical_xor(input, other)


@equivalent("torch.Tensor.logical_xor", differs=[SELF_COMPLEX_NAN])
def tensor_logical_xor(self, other):
    """True where exactly one is nonzero."""
    return self.logical_xor(other)


@equivalent("torch.logical_not")
def logical_not(input, *, out=None):
    """True where x is zero. https://docs.pytorch.org/docs/2.13/generated/torch.logical_not.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.logical_not(input)


@equivalent("torch.Tensor.logical_not")
def tensor_logical_not(self):
    """True where x is zero."""
    return self.logical_not()


@equivalent("torch.bitwise_and")
def bitwise_and(input, other, *, out=None):
    """The bitwise and of integers or booleans. https://docs.pytorch.org/docs/2.13/generated/torch.bitwise_and.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.bitwise_and(input, other)


@equivalent("torch.Tensor.bitwise_and")
def tensor_bitwise_and(self, other):
    """The bitwise and of integers or booleans."""
    return self.bitwise_and(other)


@equivalent("torch.bitwise_or")
def bitwise_or(input, other, *, out=None):
    """The bitwise or of integers or booleans. https://docs.pytorch.org/docs/2.13/generated/torch.bitwise_or.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.bitwise_or(input, other)


@equivalent("torch.Tensor.bitwise_or")
def tensor_bitwise_or(self, other):
    """The bitwise or of integers or booleans."""
    return self.bitwise_or(other)


@equivalent("torch.bitwise_xor")
def bitwise_xor(input, other, *, out=None):
    """The bitwise exclusive or of integers or booleans. https://docs.pytorch.org/docs/2.13/generated/torch.bitwise_xor.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.bitwise_xor(input, other)


@equivalent("torch.Tensor.bitwise_xor")
def tensor_bitwise_xor(self, other):
    """The bitwise exclusive or of integers or booleans."""
    return self.bitwise_xor(other)


@equivalent("torch.bitwise_left_shift", differs=[FAR])
def bitwise_left_shift(input, other, *, out=None):
    """The bits of input shifted left. https://docs.pytorch.org/docs/2.13/generated/torch.bitwise_left_shift.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.bitwise_left_shift(input, other)


@equivalent("torch.Tensor.bitwise_left_shift", differs=[SELF_FAR])
def tensor_bitwise_left_shift(self, other):
    """The bits of input shifted left."""
    return self.bitwise_left_shift(other)


@equivalent("torch.bitwise_right_shift", differs=[FAR])
def bitwise_right_shift(input, other, *, out=None):
    """The bits of input shifted right, with the sign kept. https://docs.pytorch.org/docs/2.13/generated/torch.bitwise_right_shift.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.bitwise_right_shift(input, other)


@equivalent("torch.Tensor.bitwise_right_shift", differs=[SELF_FAR])
def tensor_bitwise_right_shift(self, other):
    """The bits of input shifted right, with the sign kept."""
    return ops.bitwise_right_shift(self, other)  # the method keeps its own dtype with a wider one


@equivalent("torch.bitwise_not", "torch.Tensor.bitwise_not")
def bitwise_not(input, *, out=None):
    """The bits inverted; the negation of a boolean.

    In MindSpore ``~x`` of integers is the logical not, and `ops.bitwise_not` has no CPU kernel.
    """
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if input.dtype == ms.bool_:
        return ops.logical_not(input)
    return ops.bitwise_xor(input, -1)
