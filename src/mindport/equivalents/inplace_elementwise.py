"""More elementwise functions and products that overwrite their tensor; how is told in inplace.py."""

from mindport.declare import Refused, difference, equivalent
from mindport.equivalents.arithmetic import (
    atan2,
    copysign,
    gcd,
    heaviside,
    hypot,
    lcm,
    ldexp,
    nextafter,
    xlogy,
)
from mindport.equivalents.comparison import eq, ge, gt, le, lt, ne
from mindport.equivalents.complex_numbers import conj_physical
from mindport.equivalents.exponential import digamma, erfc, exp2, i0, lgamma, logit, sinc
from mindport.equivalents.inplace import overwrite
from mindport.equivalents.linalg import addbmm, addmv, addr, baddbmm
from mindport.equivalents.logic import SELF_FAR, bitwise_left_shift, bitwise_not, bitwise_right_shift
from mindport.equivalents.order_statistics import renorm
from mindport.equivalents.pointwise import sgn, trunc
from mindport.equivalents.powers import float_power
from mindport.equivalents.probability_functions import igamma, igammac, mvlgamma
from mindport.equivalents.trigonometry import (
    acos,
    acosh,
    asin,
    asinh,
    atan,
    atanh,
    cosh,
    deg2rad,
    rad2deg,
    sinh,
    tan,
)


@equivalent("torch.Tensor.acos_", "torch.acos_", "torch.Tensor.arccos_", "torch.arccos_")
def acos_(self):
    """The inverse cosine, elementwise. The tensor itself is overwritten."""
    return overwrite(self, acos(self.copy()))


@equivalent("torch.Tensor.acosh_", "torch.acosh_", "torch.Tensor.arccosh_", "torch.arccosh_")
def acosh_(self):
    """The inverse hyperbolic cosine, elementwise. The tensor itself is overwritten."""
    return overwrite(self, acosh(self.copy()))


@equivalent("torch.Tensor.addbmm_", differs=[difference("a tensor of another shape than the result is refused; torch resizes it", when="self.ndim == 0 or self.ndim == 1 or self.numel() < batch1.shape[1] * batch2.shape[2]", risk="loud", zh="形状与结果不同的张量会被拒绝，PyTorch 会调整其大小")])
def addbmm_(self, batch1, batch2, *, beta=1, alpha=1):
    """beta * input + alpha * the sum over the batch of bmm(batch1, batch2). The tensor itself is overwritten."""
    if self.shape != (batch1.shape[1], batch2.shape[2]):
        raise Refused("addbmm_ does not resize the tensor that it overwrites: use addbmm and assign its result")
    return overwrite(self, addbmm(self.copy(), batch1, batch2, beta=beta, alpha=alpha))


@equivalent("torch.Tensor.addmv_", "torch.addmv_")
def addmv_(self, mat, vec, *, beta=1, alpha=1):
    """beta * input + alpha * (mat @ vec). The tensor itself is overwritten."""
    return overwrite(self, addmv(self.copy(), mat, vec, beta=beta, alpha=alpha))


@equivalent("torch.Tensor.addr_", differs=[difference("the product of short vectors is rounded before it is added to wider numbers", when="vec1.dtype != self.dtype or vec2.dtype != self.dtype", risk="style", zh="低精度向量的外积先舍入")])
def addr_(self, vec1, vec2, *, beta=1, alpha=1):
    """beta * input + alpha * outer(vec1, vec2); with beta 0 the input does not matter, NaN included. The tensor itself is overwritten."""
    return overwrite(self, addr(self.copy(), vec1, vec2, beta=beta, alpha=alpha))


@equivalent("torch.Tensor.arcsin_", "torch.arcsin_", "torch.Tensor.asin_", "torch.asin_")
def arcsin_(self):
    """The inverse sine, elementwise. The tensor itself is overwritten."""
    return overwrite(self, asin(self.copy()))


@equivalent("torch.Tensor.arcsinh_", "torch.arcsinh_", "torch.Tensor.asinh_", "torch.asinh_")
def arcsinh_(self):
    """The inverse hyperbolic sine, elementwise. The tensor itself is overwritten."""
    return overwrite(self, asinh(self.copy()))


@equivalent("torch.Tensor.arctan_", "torch.arctan_", "torch.Tensor.atan_", "torch.atan_")
def arctan_(self):
    """The inverse tangent, elementwise. The tensor itself is overwritten."""
    return overwrite(self, atan(self.copy()))


@equivalent("torch.Tensor.arctan2_", "torch.Tensor.atan2_")
def arctan2_(self, other):
    """The angle of the point (other, input), in (-pi, pi]. The tensor itself is overwritten."""
    return overwrite(self, atan2(self.copy(), other))


@equivalent("torch.Tensor.arctanh_", "torch.arctanh_", "torch.Tensor.atanh_", "torch.atanh_")
def arctanh_(self):
    """The inverse hyperbolic tangent, elementwise. The tensor itself is overwritten."""
    return overwrite(self, atanh(self.copy()))


@equivalent("torch.Tensor.baddbmm_")
def baddbmm_(self, batch1, batch2, *, beta=1, alpha=1):
    """beta * input + alpha * bmm(batch1, batch2). The tensor itself is overwritten."""
    return overwrite(self, baddbmm(self.copy(), batch1, batch2, beta=beta, alpha=alpha))


@equivalent("torch.Tensor.bitwise_left_shift_", differs=[SELF_FAR])
def bitwise_left_shift_(self, other):
    """The bits of input shifted left. The tensor itself is overwritten."""
    return overwrite(self, bitwise_left_shift(self.copy(), other))


@equivalent("torch.Tensor.bitwise_not_")
def bitwise_not_(self):
    """The bits inverted; the negation of a boolean. The tensor itself is overwritten."""
    return overwrite(self, bitwise_not(self.copy()))


@equivalent("torch.Tensor.bitwise_right_shift_", differs=[SELF_FAR])
def bitwise_right_shift_(self, other):
    """The bits of input shifted right, with the sign kept. The tensor itself is overwritten."""
    return overwrite(self, bitwise_right_shift(self.copy(), other))


@equivalent("torch.Tensor.conj_physical_", "torch.conj_physical_")
def conj_physical_(self):
    """The conjugate; a real tensor itself. The tensor itself is overwritten."""
    return overwrite(self, conj_physical(self.copy()))


@equivalent("torch.Tensor.copysign_")
def copysign_(self, other):
    """|input| with other's sign. The tensor itself is overwritten."""
    return overwrite(self, copysign(self.copy(), other))


@equivalent("torch.Tensor.cosh_", "torch.cosh_")
def cosh_(self):
    """The hyperbolic cosine, elementwise. The tensor itself is overwritten."""
    return overwrite(self, cosh(self.copy()))


@equivalent("torch.Tensor.deg2rad_", "torch.deg2rad_")
def deg2rad_(self):
    """Degrees to radians, elementwise. The tensor itself is overwritten."""
    return overwrite(self, deg2rad(self.copy()))


@equivalent("torch.Tensor.digamma_", differs=[difference("float64 is computed with less precision", when="self.dtype == ms.float64", zh="float64 精度较低")])
def digamma_(self):
    """The derivative of lgamma, elementwise. The tensor itself is overwritten."""
    return overwrite(self, digamma(self.copy()))


@equivalent("torch.Tensor.eq_")
def eq_(self, other):
    """input == other, elementwise. The tensor itself is overwritten."""
    return overwrite(self, eq(self.copy(), other))


@equivalent("torch.Tensor.erfc_", "torch.erfc_")
def erfc_(self):
    """1 - erf(x), elementwise. The tensor itself is overwritten."""
    return overwrite(self, erfc(self.copy()))


@equivalent("torch.Tensor.exp2_", "torch.exp2_")
def exp2_(self):
    """2 to the power of x, elementwise; an integer tensor gives float32. The tensor itself is overwritten."""
    return overwrite(self, exp2(self.copy()))


@equivalent("torch.Tensor.float_power_")
def float_power_(self, exponent):
    """input to the power of exponent, computed and returned in float64. The tensor itself is overwritten."""
    return overwrite(self, float_power(self.copy(), exponent))


@equivalent("torch.Tensor.gcd_", "torch.gcd_")
def gcd_(self, other):
    """The greatest common divisor. The tensor itself is overwritten."""
    return overwrite(self, gcd(self.copy(), other))


@equivalent("torch.Tensor.ge_", "torch.Tensor.greater_equal_")
def ge_(self, other):
    """input >= other, elementwise. The tensor itself is overwritten."""
    return overwrite(self, ge(self.copy(), other))


@equivalent("torch.Tensor.greater_", "torch.Tensor.gt_")
def greater_(self, other):
    """input > other, elementwise. The tensor itself is overwritten."""
    return overwrite(self, gt(self.copy(), other))


@equivalent("torch.Tensor.heaviside_")
def heaviside_(self, values):
    """0 below zero, 1 above it, `values` at zero; `ops.heaviside` takes 1e-30 for zero. The tensor itself is overwritten."""
    return overwrite(self, heaviside(self.copy(), values))


@equivalent("torch.Tensor.hypot_")
def hypot_(self, other):
    """sqrt(input ** 2 + other ** 2). The tensor itself is overwritten."""
    return overwrite(self, hypot(self.copy(), other))


@equivalent("torch.Tensor.i0_", "torch.i0_")
def i0_(self):
    """The modified Bessel function of order 0, elementwise. The tensor itself is overwritten."""
    return overwrite(self, i0(self.copy()))


@equivalent("torch.Tensor.igamma_", differs=[difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(self).all()", zh="输入含 NaN 或无穷时结果不同")])
def igamma_(self, other):
    """The regularised lower incomplete gamma function; torch has its gradient in `other` only. The tensor itself is overwritten."""
    return overwrite(self, igamma(self.copy(), other))


@equivalent("torch.Tensor.igammac_", differs=[difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(self).all()", zh="输入含 NaN 或无穷时结果不同"), difference("float64 is computed with less precision", when="self.dtype == ms.float64", zh="float64 精度较低")])
def igammac_(self, other):
    """The regularised upper incomplete gamma function; torch has its gradient in `other` only. The tensor itself is overwritten."""
    return overwrite(self, igammac(self.copy(), other))


@equivalent("torch.Tensor.lcm_", "torch.lcm_")
def lcm_(self, other):
    """The least common multiple. The tensor itself is overwritten."""
    return overwrite(self, lcm(self.copy(), other))


@equivalent("torch.Tensor.ldexp_", "torch.ldexp_")
def ldexp_(self, other):
    """input * 2 ** other. The tensor itself is overwritten."""
    return overwrite(self, ldexp(self.copy(), other))


@equivalent("torch.Tensor.le_", "torch.Tensor.less_equal_")
def le_(self, other):
    """input <= other, elementwise. The tensor itself is overwritten."""
    return overwrite(self, le(self.copy(), other))


@equivalent("torch.Tensor.lgamma_")
def lgamma_(self):
    """log |gamma(x)|, elementwise. The tensor itself is overwritten."""
    return overwrite(self, lgamma(self.copy()))


@equivalent("torch.Tensor.logit_", "torch.logit_")
def logit_(self, eps=None):
    """log(x / (1 - x)), x clamped to [eps, 1 - eps] where eps is given. The tensor itself is overwritten."""
    return overwrite(self, logit(self.copy(), eps))


@equivalent("torch.Tensor.less_", "torch.Tensor.lt_", differs=[difference("torch compares bytes with 256 + a negative number", when="isinstance(other, (int, float)) and other < 0 and self.dtype == ms.uint8", zh="PyTorch 将 uint8 与负数比较时按 256 回绕")])
def less_(self, other):
    """input < other, elementwise. The tensor itself is overwritten."""
    return overwrite(self, lt(self.copy(), other))


@equivalent("torch.Tensor.mvlgamma_")
def mvlgamma_(self, p):
    """log of the multivariate gamma function of dimension p. The tensor itself is overwritten."""
    return overwrite(self, mvlgamma(self.copy(), p))


@equivalent("torch.Tensor.ne_", "torch.Tensor.not_equal_")
def ne_(self, other):
    """input != other, elementwise. The tensor itself is overwritten."""
    return overwrite(self, ne(self.copy(), other))


@equivalent("torch.Tensor.nextafter_", differs=[difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(self).all()", zh="输入含 NaN 或无穷时结果不同")])
def nextafter_(self, other):
    """The next floating number after input towards other. `ops.nextafter` reads foreign memory on broadcast. The tensor itself is overwritten."""
    return overwrite(self, nextafter(self.copy(), other))


@equivalent("torch.Tensor.rad2deg_", "torch.rad2deg_")
def rad2deg_(self):
    """Radians to degrees, elementwise. The tensor itself is overwritten."""
    return overwrite(self, rad2deg(self.copy()))


@equivalent("torch.Tensor.renorm_")
def renorm_(self, p, dim, maxnorm):
    """The slices along an axis, scaled down where their p-norm is above `maxnorm`. The tensor itself is overwritten."""
    return overwrite(self, renorm(self.copy(), p, dim, maxnorm))


@equivalent("torch.Tensor.sgn_")
def sgn_(self):
    """The sign of a real x, elementwise; x / |x| for complex x. The tensor itself is overwritten."""
    return overwrite(self, sgn(self.copy()))


@equivalent("torch.Tensor.sinc_", "torch.sinc_")
def sinc_(self):
    """sin(pi x) / (pi x), 1 at 0, elementwise. The tensor itself is overwritten."""
    return overwrite(self, sinc(self.copy()))


@equivalent("torch.Tensor.sinh_", "torch.sinh_", differs=[difference("between 88.7 and 89.4 torch is infinite already", when="(self.abs() > 88).any()", risk="style", zh="88.7 至 89.4 之间 PyTorch 已溢出")])
def sinh_(self):
    """The hyperbolic sine, elementwise. The tensor itself is overwritten."""
    return overwrite(self, sinh(self.copy()))


@equivalent("torch.Tensor.tan_", "torch.tan_")
def tan_(self):
    """The tangent, elementwise. The tensor itself is overwritten."""
    return overwrite(self, tan(self.copy()))


@equivalent("torch.Tensor.fix_", "torch.fix_")
def fix_(self):
    """x without its fractional part, elementwise. The tensor itself is overwritten."""
    return overwrite(self, trunc(self.copy()))


@equivalent("torch.Tensor.xlogy_", "torch.xlogy_")
def xlogy_(self, other):
    """input * log(other), 0 where input is 0 unless other is NaN. `ops.xlogy(0, 0)` is NaN on CPU. The tensor itself is overwritten."""
    return overwrite(self, xlogy(self.copy(), other))
