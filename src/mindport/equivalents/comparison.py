"""Comparisons, tests for special values, and selection by a condition."""

import mindspore as ms
from mindspore import ops

from mindport.declare import Refused, difference, equivalent


@equivalent("torch.eq")
def eq(input, other, *, out=None):
    """input == other, elementwise. https://docs.pytorch.org/docs/2.13/generated/torch.eq.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.eq(input, other)


@equivalent("torch.Tensor.eq")
def tensor_eq(self, other):
    """input == other, elementwise."""
    return self.eq(other)


@equivalent("torch.ne", "torch.not_equal")
def ne(input, other, *, out=None):
    """input != other, elementwise. https://docs.pytorch.org/docs/2.13/generated/torch.ne.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.ne(input, other)


@equivalent("torch.Tensor.ne", "torch.Tensor.not_equal")
def tensor_ne(self, other):
    """input != other, elementwise."""
    return self.ne(other)


@equivalent("torch.lt", "torch.less", differs=[difference("torch compares bytes with 256 + a negative number", when="isinstance(other, (int, float)) and other < 0 and input.dtype == ms.uint8", zh="PyTorch 将 uint8 与负数比较时按 256 回绕")])
def lt(input, other, *, out=None):
    """input < other, elementwise. https://docs.pytorch.org/docs/2.13/generated/torch.lt.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.lt(input, other)


@equivalent("torch.Tensor.lt", "torch.Tensor.less", differs=[difference("torch compares bytes with 256 + a negative number", when="isinstance(other, (int, float)) and other < 0 and self.dtype == ms.uint8", zh="PyTorch 将 uint8 与负数比较时按 256 回绕")])
def tensor_lt(self, other):
    """input < other, elementwise."""
    return self.lt(other)


@equivalent("torch.le", "torch.less_equal")
def le(input, other, *, out=None):
    """input <= other, elementwise. https://docs.pytorch.org/docs/2.13/generated/torch.le.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.le(input, other)


@equivalent("torch.Tensor.le", "torch.Tensor.less_equal")
def tensor_le(self, other):
    """input <= other, elementwise."""
    return self.le(other)


@equivalent("torch.gt", "torch.greater")
def gt(input, other, *, out=None):
    """input > other, elementwise. https://docs.pytorch.org/docs/2.13/generated/torch.gt.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.gt(input, other)


@equivalent("torch.Tensor.gt", "torch.Tensor.greater")
def tensor_gt(self, other):
    """input > other, elementwise."""
    return self.gt(other)


@equivalent("torch.ge", "torch.greater_equal")
def ge(input, other, *, out=None):
    """input >= other, elementwise. https://docs.pytorch.org/docs/2.13/generated/torch.ge.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.ge(input, other)


@equivalent("torch.Tensor.ge", "torch.Tensor.greater_equal")
def tensor_ge(self, other):
    """input >= other, elementwise."""
    return self.ge(other)


@equivalent("torch.isnan")
def isnan(input):
    """True where x is NaN. https://docs.pytorch.org/docs/2.13/generated/torch.isnan.html"""
    return ops.isnan(input)


@equivalent("torch.Tensor.isnan")
def tensor_isnan(self):
    """True where x is NaN."""
    return self.isnan()


@equivalent("torch.isinf")
def isinf(input):
    """True where x is infinite; integer tensors raise on CPU. https://docs.pytorch.org/docs/2.13/generated/torch.isinf.html"""
    return ops.isinf(input)


@equivalent("torch.Tensor.isinf")
def tensor_isinf(self):
    """True where x is infinite; integer tensors raise on CPU."""
    return self.isinf()


@equivalent("torch.isfinite")
def isfinite(input):
    """True where x is neither infinite nor NaN. https://docs.pytorch.org/docs/2.13/generated/torch.isfinite.html"""
    return ops.isfinite(input)


@equivalent("torch.Tensor.isfinite")
def tensor_isfinite(self):
    """True where x is neither infinite nor NaN."""
    return self.isfinite()


@equivalent("torch.isreal")
def isreal(input):
    """True where the imaginary part is 0. https://docs.pytorch.org/docs/2.13/generated/torch.isreal.html"""
    input = ops.stop_gradient(input)  # it has no gradient, and raises where one passes it by
    return ops.isreal(input)


@equivalent("torch.Tensor.isreal")
def tensor_isreal(self):
    """True where the imaginary part is 0."""
    self = ops.stop_gradient(self)
    return self.isreal()


@equivalent("torch.isposinf", "torch.Tensor.isposinf")
def isposinf(input, *, out=None):
    """True where x is plus infinity."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.isposinf(input)


@equivalent("torch.isneginf", "torch.Tensor.isneginf")
def isneginf(input, *, out=None):
    """True where x is minus infinity."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.isneginf(input)


@equivalent("torch.isclose")
def isclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    """|input - other| <= atol + rtol * |other|. https://docs.pytorch.org/docs/2.13/generated/torch.isclose.html"""
    input, other = ops.stop_gradient(input), ops.stop_gradient(other)  # `ops.isclose` raises where a gradient passes it by
    return ops.isclose(input, other, rtol, atol, equal_nan)


@equivalent("torch.Tensor.isclose")
def tensor_isclose(self, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    """|self - other| <= atol + rtol * |other|."""
    self, other = ops.stop_gradient(self), ops.stop_gradient(other)
    return self.isclose(other, rtol, atol, equal_nan)


@equivalent("torch.allclose", "torch.Tensor.allclose")
def allclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    """Whether every element is close: a Python bool. https://docs.pytorch.org/docs/2.13/generated/torch.allclose.html"""
    return ops.isclose(input, other, rtol, atol, equal_nan).all().item()


@equivalent("torch.equal", "torch.Tensor.equal")
def equal(input, other):
    """Whether shape and elements are equal: a Python bool. https://docs.pytorch.org/docs/2.13/generated/torch.equal.html"""
    return input.shape == other.shape and (input.size == 0 or (input == other).all().item())


@equivalent("torch.isin", drops={"assume_unique": "it promises distinct elements, which only saves time"})
def isin(elements, test_elements, *, assume_unique=False, invert=False):
    """True where an element occurs in `test_elements`.

    `assume_unique` promises something that would only save time.
    """
    if isinstance(elements, (int, float)):
        found = (test_elements == elements).any()
    elif isinstance(test_elements, (int, float)):
        found = elements == test_elements
    elif test_elements.size == 0:  # any() of nothing is unwritten memory
        found = ops.zeros(elements.shape, ms.bool_)
    else:
        found = (elements.expand_dims(-1) == test_elements.reshape(-1)).any(-1)
    return ops.logical_not(found) if invert else found


@equivalent("torch.where")
def where(condition, input=None, other=None, *, out=None):
    """input where the condition holds, else other; the indices of true elements when only a condition is given.

    https://docs.pytorch.org/docs/2.13/generated/torch.where.html
    """
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if input is None:
        return ops.unbind(ops.nonzero(condition.bool()), 1)
    return ops.where(condition, input, other)


@equivalent("torch.Tensor.where")
def tensor_where(self, condition, other):
    """self where the condition holds, else other."""
    return ops.where(condition, self, other)
