"""Trigonometric and hyperbolic functions, elementwise.

An integer tensor raises on CPU in most of these, where torch returns float32: the CPU backend registers
floating kernels only. Ascend has them.
"""

import math

import mindspore as ms
from mindspore import ops

from mindport.declare import Refused, difference, equivalent
from mindport.equivalents.exact_numbers import exact
from mindport.equivalents.python_data import seen_dtype

EARLY = difference("between 88.7 and 89.4 torch is infinite already", when="(input.abs() > 88).any()", risk="style", zh="88.7 至 89.4 之间 PyTorch 已溢出")
SELF_EARLY = difference("between 88.7 and 89.4 torch is infinite already", when="(self.abs() > 88).any()", risk="style", zh="88.7 至 89.4 之间 PyTorch 已溢出")
ROUNDED = difference("float64 that nothing shows has the accuracy of float32 on CPU", when="not seen_dtype(input, ms.float64) and input.dtype == ms.float64", zh="未能识别的 float64 在 CPU 上只有 float32 精度")
ROUNDED_SELF = difference("float64 that nothing shows has the accuracy of float32 on CPU", when="not seen_dtype(self, ms.float64) and self.dtype == ms.float64", zh="未能识别的 float64 在 CPU 上只有 float32 精度")


@equivalent("torch.sin")
def sin(input, *, out=None):
    """The sine, elementwise. https://docs.pytorch.org/docs/2.13/generated/torch.sin.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.sin(input)


@equivalent("torch.Tensor.sin")
def tensor_sin(self):
    """The sine, elementwise."""
    return self.sin()


@equivalent("torch.cos")
def cos(input, *, out=None):
    """The cosine, elementwise. https://docs.pytorch.org/docs/2.13/generated/torch.cos.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.cos(input)


@equivalent("torch.Tensor.cos")
def tensor_cos(self):
    """The cosine, elementwise."""
    return self.cos()


@equivalent("torch.tan")
def tan(input, *, out=None):
    """The tangent, elementwise. https://docs.pytorch.org/docs/2.13/generated/torch.tan.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.tan(input)


@equivalent("torch.Tensor.tan")
def tensor_tan(self):
    """The tangent, elementwise."""
    return self.tan()


@equivalent("torch.asin", "torch.arcsin")
def asin(input, *, out=None):
    """The inverse sine, elementwise. https://docs.pytorch.org/docs/2.13/generated/torch.asin.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.asin(input)


@equivalent("torch.Tensor.asin", "torch.Tensor.arcsin")
def tensor_asin(self):
    """The inverse sine, elementwise."""
    return self.asin()


@equivalent("torch.acos", "torch.arccos")
def acos(input, *, out=None):
    """The inverse cosine, elementwise. https://docs.pytorch.org/docs/2.13/generated/torch.acos.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.acos(input)


@equivalent("torch.Tensor.acos", "torch.Tensor.arccos")
def tensor_acos(self):
    """The inverse cosine, elementwise."""
    return self.acos()


@equivalent("torch.atan", "torch.arctan")
def atan(input, *, out=None):
    """The inverse tangent, elementwise. https://docs.pytorch.org/docs/2.13/generated/torch.atan.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.atan(input)


@equivalent("torch.Tensor.atan", "torch.Tensor.arctan")
def tensor_atan(self):
    """The inverse tangent, elementwise."""
    return self.atan()


@equivalent("torch.sinh", differs=[EARLY])
def sinh(input, *, out=None):
    """The hyperbolic sine, elementwise. https://docs.pytorch.org/docs/2.13/generated/torch.sinh.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.sinh(input)


@equivalent("torch.Tensor.sinh", differs=[SELF_EARLY])
def tensor_sinh(self):
    """The hyperbolic sine, elementwise."""
    return self.sinh()


@equivalent("torch.cosh")
def cosh(input, *, out=None):
    """The hyperbolic cosine, elementwise. https://docs.pytorch.org/docs/2.13/generated/torch.cosh.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.cosh(input)


@equivalent("torch.Tensor.cosh")
def tensor_cosh(self):
    """The hyperbolic cosine, elementwise."""
    return self.cosh()


@equivalent("torch.asinh", "torch.arcsinh")
def asinh(input, *, out=None):
    """The inverse hyperbolic sine, elementwise. https://docs.pytorch.org/docs/2.13/generated/torch.asinh.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.asinh(input)


@equivalent("torch.Tensor.asinh", "torch.Tensor.arcsinh")
def tensor_asinh(self):
    """The inverse hyperbolic sine, elementwise."""
    return self.asinh()


@equivalent("torch.acosh", "torch.arccosh")
def acosh(input, *, out=None):
    """The inverse hyperbolic cosine, elementwise. https://docs.pytorch.org/docs/2.13/generated/torch.acosh.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.acosh(input)


@equivalent("torch.Tensor.acosh", "torch.Tensor.arccosh")
def tensor_acosh(self):
    """The inverse hyperbolic cosine, elementwise."""
    return self.acosh()


@equivalent("torch.atanh", "torch.arctanh")
def atanh(input, *, out=None):
    """The inverse hyperbolic tangent, elementwise. https://docs.pytorch.org/docs/2.13/generated/torch.atanh.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.atanh(input)


@equivalent("torch.Tensor.atanh", "torch.Tensor.arctanh")
def tensor_atanh(self):
    """The inverse hyperbolic tangent, elementwise."""
    return self.atanh()


@equivalent("torch.deg2rad", differs=[ROUNDED])
def deg2rad(input, *, out=None):
    """Degrees to radians, elementwise. https://docs.pytorch.org/docs/2.13/generated/torch.deg2rad.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if seen_dtype(input, ms.float64):  # the operator multiplies by a number of float32
        return input * exact(math.pi / 180, input)
    return ops.deg2rad(input)


@equivalent("torch.Tensor.deg2rad", differs=[ROUNDED_SELF])
def tensor_deg2rad(self):
    """Degrees to radians, elementwise."""
    if seen_dtype(self, ms.float64):
        return self * exact(math.pi / 180, self)
    return self.deg2rad()


@equivalent("torch.rad2deg", differs=[ROUNDED])
def rad2deg(input, *, out=None):
    """Radians to degrees, elementwise. https://docs.pytorch.org/docs/2.13/generated/torch.rad2deg.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if seen_dtype(input, ms.float64):
        return input * exact(180 / math.pi, input)
    return ops.rad2deg(input)


@equivalent("torch.Tensor.rad2deg", differs=[ROUNDED_SELF])
def tensor_rad2deg(self):
    """Radians to degrees, elementwise."""
    if seen_dtype(self, ms.float64):
        return self * exact(180 / math.pi, self)
    return self.rad2deg()
