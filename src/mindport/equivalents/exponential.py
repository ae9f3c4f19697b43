"""Exponentials, logarithms, roots, the error and gamma functions, elementwise.

An integer tensor raises on CPU in most of these, where torch returns float32: the CPU backend registers
floating kernels only. Ascend has them.
"""

import math

import mindspore as ms
from mindspore import ops

from mindport.declare import Refused, difference, equivalent
from mindport.equivalents.exact_numbers import exact
from mindport.equivalents.near_zero import expm1_near_zero, log1p_near_zero


@equivalent("torch.exp")
def exp(input, *, out=None):
    """e to the power of x, elementwise. https://docs.pytorch.org/docs/2.13/generated/torch.exp.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.exp(input)


@equivalent("torch.Tensor.exp")
def tensor_exp(self):
    """e to the power of x, elementwise."""
    return self.exp()


@equivalent("torch.expm1", "torch.special.expm1")
def expm1(input, *, out=None):
    """exp(x) - 1, elementwise. https://docs.pytorch.org/docs/2.13/generated/torch.expm1.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return expm1_near_zero(input)


@equivalent("torch.Tensor.expm1")
def tensor_expm1(self):
    """exp(x) - 1, elementwise."""
    return expm1_near_zero(self)

NEXT_TO_ONE = difference("next to 1 the result is off by up to 1.2e-7, and of numbers below 1.2e-38 it is -inf", when="((input - 1).abs() < 1e-3).any() or (input < 1.2e-38).any()", risk="style", zh="在 1 附近误差可达 1.2e-7，小于 1.2e-38 的数结果为 -inf")
NEXT_TO_ONE_ITSELF = difference("next to 1 the result is off by up to 1.2e-7, and of numbers below 1.2e-38 it is -inf", when="((self - 1).abs() < 1e-3).any() or (self < 1.2e-38).any()", risk="style", zh="在 1 附近误差可达 1.2e-7，小于 1.2e-38 的数结果为 -inf")


@equivalent("torch.log", differs=[NEXT_TO_ONE])
def log(input, *, out=None):
    """The natural logarithm, elementwise. https://docs.pytorch.org/docs/2.13/generated/torch.log.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.log(input)


@equivalent("torch.Tensor.log", differs=[NEXT_TO_ONE_ITSELF])
def tensor_log(self):
    """The natural logarithm, elementwise."""
    return self.log()


@equivalent("torch.log2", differs=[NEXT_TO_ONE])
def log2(input, *, out=None):
    """The logarithm to base 2, elementwise. https://docs.pytorch.org/docs/2.13/generated/torch.log2.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.log2(input)


@equivalent("torch.Tensor.log2", differs=[NEXT_TO_ONE_ITSELF])
def tensor_log2(self):
    """The logarithm to base 2, elementwise."""
    return self.log2()


@equivalent("torch.log10", differs=[NEXT_TO_ONE])
def log10(input, *, out=None):
    """The logarithm to base 10, elementwise. https://docs.pytorch.org/docs/2.13/generated/torch.log10.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.log10(input)


@equivalent("torch.Tensor.log10", differs=[NEXT_TO_ONE_ITSELF])
def tensor_log10(self):
    """The logarithm to base 10, elementwise."""
    return self.log10()


@equivalent("torch.log1p", "torch.special.log1p")
def log1p(input, *, out=None):
    """log(1 + x), elementwise. https://docs.pytorch.org/docs/2.13/generated/torch.log1p.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return log1p_near_zero(input)


@equivalent("torch.Tensor.log1p")
def tensor_log1p(self):
    """log(1 + x), elementwise."""
    return log1p_near_zero(self)


@equivalent("torch.sqrt")
def sqrt(input, *, out=None):
    """The square root, elementwise; an integer tensor gives float32. https://docs.pytorch.org/docs/2.13/generated/torch.sqrt.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.sqrt(input)


@equivalent("torch.Tensor.sqrt")
def tensor_sqrt(self):
    """The square root, elementwise; an integer tensor gives float32."""
    return self.sqrt()


@equivalent("torch.rsqrt")
def rsqrt(input, *, out=None):
    """1 / sqrt(x), elementwise. https://docs.pytorch.org/docs/2.13/generated/torch.rsqrt.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.rsqrt(input)


@equivalent("torch.Tensor.rsqrt")
def tensor_rsqrt(self):
    """1 / sqrt(x), elementwise."""
    return self.rsqrt()


@equivalent("torch.reciprocal")
def reciprocal(input, *, out=None):
    """1 / x, elementwise; an integer tensor gives float32. https://docs.pytorch.org/docs/2.13/generated/torch.reciprocal.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.reciprocal(input)


@equivalent("torch.Tensor.reciprocal")
def tensor_reciprocal(self):
    """1 / x, elementwise; an integer tensor gives float32."""
    return self.reciprocal()


@equivalent("torch.square")
def square(input, *, out=None):
    """x * x, elementwise. https://docs.pytorch.org/docs/2.13/generated/torch.square.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.square(input)


@equivalent("torch.Tensor.square")
def tensor_square(self):
    """x * x, elementwise."""
    return self.square()


@equivalent("torch.sigmoid", "torch.special.expit")
def sigmoid(input, *, out=None):
    """1 / (1 + exp(-x)), elementwise. https://docs.pytorch.org/docs/2.13/generated/torch.sigmoid.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.sigmoid(input)


@equivalent("torch.Tensor.sigmoid")
def tensor_sigmoid(self):
    """1 / (1 + exp(-x)), elementwise."""
    return self.sigmoid()


@equivalent("torch.erf", "torch.special.erf")
def erf(input, *, out=None):
    """The error function, elementwise. https://docs.pytorch.org/docs/2.13/generated/torch.erf.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.erf(input)


@equivalent("torch.Tensor.erf")
def tensor_erf(self):
    """The error function, elementwise."""
    return self.erf()


@equivalent("torch.erfc", "torch.special.erfc")
def erfc(input, *, out=None):
    """1 - erf(x), elementwise. https://docs.pytorch.org/docs/2.13/generated/torch.erfc.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.erfc(input)


@equivalent("torch.Tensor.erfc")
def tensor_erfc(self):
    """1 - erf(x), elementwise."""
    return self.erfc()


@equivalent("torch.lgamma", "torch.special.gammaln")
def lgamma(input, *, out=None):
    """log |gamma(x)|, elementwise. https://docs.pytorch.org/docs/2.13/generated/torch.lgamma.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.lgamma(input)


@equivalent("torch.Tensor.lgamma")
def tensor_lgamma(self):
    """log |gamma(x)|, elementwise."""
    return self.lgamma()


@equivalent("torch.digamma", "torch.special.psi", "torch.special.digamma", differs=[difference("float64 is computed with the accuracy of float32", when="input.dtype == ms.float64", zh="float64 只有 float32 的精度")])
def digamma(input, *, out=None):
    """The derivative of lgamma, elementwise. https://docs.pytorch.org/docs/2.13/generated/torch.digamma.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.digamma(input)


@equivalent("torch.Tensor.digamma", differs=[difference("float64 is computed with the accuracy of float32", when="self.dtype == ms.float64", zh="float64 只有 float32 的精度")])
def tensor_digamma(self):
    """The derivative of lgamma, elementwise."""
    return self.digamma()


@equivalent("torch.sinc", "torch.special.sinc", differs=[difference("False gives NaN", when="input.dtype == ms.bool", zh="False 得到 NaN")])
def sinc(input, *, out=None):
    """sin(pi x) / (pi x), 1 at 0, elementwise. https://docs.pytorch.org/docs/2.13/generated/torch.sinc.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.sinc(input)


@equivalent("torch.Tensor.sinc", differs=[difference("False gives NaN", when="self.dtype == ms.bool", zh="False 得到 NaN")])
def tensor_sinc(self):
    """sin(pi x) / (pi x), 1 at 0, elementwise."""
    return self.sinc()


@equivalent("torch.i0", "torch.special.i0")
def i0(input, *, out=None):
    """The modified Bessel function of order 0, elementwise. https://docs.pytorch.org/docs/2.13/generated/torch.i0.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.i0(input)


@equivalent("torch.Tensor.i0")
def tensor_i0(self):
    """The modified Bessel function of order 0, elementwise."""
    return self.i0()


@equivalent("torch.exp2", "torch.special.exp2", "torch.Tensor.exp2", differs=[difference("bfloat16 gives float32", when="input.dtype == ms.bfloat16", zh="bfloat16 得到 float32")])
def exp2(input, *, out=None):
    """2 to the power of x, elementwise; an integer tensor gives float32."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.exp2(input)


@equivalent("torch.erfinv", "torch.special.erfinv", "torch.Tensor.erfinv")
def erfinv(input, *, out=None):
    """The inverse of erf, elementwise, by Halley's method (Newton's is too slow near -1 and 1): `ops.erfinv` is off in the third digit there."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    size = ops.abs(ops.stop_gradient(input))
    y = ops.abs(ops.erfinv(ops.stop_gradient(input)))
    for _ in range(8):
        step = (ops.erfc(y) - (1 - size)) * ops.exp(ops.square(y)) * (math.sqrt(math.pi) / 2)
        y = ops.where(ops.isfinite(step), y + step / (1 - step * y), y)
    slope = ops.exp(ops.square(y)) * (math.sqrt(math.pi) / 2)  # of the inverse; that of the steps would be lost at 0
    none, inside = input - ops.stop_gradient(input), ops.isfinite(slope)
    endless = ops.sqrt(ops.where(inside, 1.0, none))  # 0 at -1 and 1, with a gradient without end
    return ops.sign(input) * y + ops.where(inside, ops.where(inside, slope, 0) * none, endless)


@equivalent("torch.logit", "torch.special.logit", "torch.Tensor.logit")
def logit(input, eps=None, *, out=None):
    """log(x / (1 - x)), x clamped to [eps, 1 - eps] where eps is given. The gradient of `ops.logit` ends the process."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    p = input if input.is_floating_point() or input.is_complex() else input.astype(ms.float32)
    return _log_odds(p if eps is None else ops.clamp(p, exact(eps, p), exact(1 - eps, p)))


def _log_odds(p):
    return ops.log(p / (1 - p))
