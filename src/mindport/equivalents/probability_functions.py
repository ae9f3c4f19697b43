"""The normal distribution's functions and others of torch.special, elementwise. Integers and booleans count as float32."""

import math

import mindspore as ms
from mindspore import Tensor, ops

from mindport.declare import Refused, difference, equivalent
from mindport.equivalents.exact_numbers import exact
from mindport.equivalents.near_zero import log1p_near_zero


def _floating(x):
    """float32 for integers and booleans."""
    return x if x.is_floating_point() else x.astype(ms.float32)


def over_root(x):
    """-x over the root of 2."""
    return x * exact(-math.sqrt(0.5), x)


@equivalent("torch.special.ndtr")
def ndtr(input, *, out=None):
    """The area under the normal density up to x. https://docs.pytorch.org/docs/2.13/special.html#torch.special.ndtr"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.erfc(over_root(_floating(input))) / 2


#: x of a tail's area p is a quotient of polynomials in sqrt(-2 log p), to 1e-9 of its size (P. J. Acklam, "An algorithm for computing the inverse
#: normal cumulative distribution function", 2003): coefficients of the highest power first.
TAIL = ((-7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838, -2.549732539343734, 4.374664141464968, 2.938163982698783),
        (7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996, 3.754408661907416, 1.0))  # fmt: skip
TAIL_BELOW = 0.02425


def polynomial(coefficients, x):
    """Its value by Horner's rule."""
    value = ops.zeros_like(x)
    for one in coefficients:
        value = value * x + exact(one, x)
    return value


def tail_quantile(p):
    """How far below 0 the lower tail of area p < 0.02425 of the normal density ends."""
    root = ops.sqrt(-2 * ops.log(p))
    return -polynomial(TAIL[0], root) / polynomial(TAIL[1], root)


@equivalent("torch.special.ndtri")
def ndtri(input, *, out=None):
    """The x up to which the area under the normal density is p: `ops.erfinv`, then Newton's method in float64; the tails by their own formula."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    given = _floating(input)
    p = given.astype(ms.float64)
    fixed = ops.stop_gradient(p)
    low = ops.minimum(fixed, 1 - fixed)
    y = ops.erfinv((1 - 2 * low).astype(ms.float32)).astype(ms.float64) * exact(math.sqrt(2), p)
    for _ in range(8):
        step = (ops.erfc(-over_root(y)) / 2 - low) * ops.exp(ops.square(y) / 2) * exact(math.sqrt(2 * math.pi), p)
        y = ops.where(ops.isfinite(step), y + step, y)
    y = ops.where(ops.logical_and(low > 0, low < TAIL_BELOW), tail_quantile(low), y)
    y = ops.stop_gradient(ops.where(fixed < 0.5, -y, y))
    slope = ops.exp(ops.square(y) / 2) * exact(math.sqrt(2 * math.pi), p)
    inside = ops.isfinite(slope)
    carried = y + ops.where(inside, p - fixed, ops.zeros_like(p)) * ops.where(inside, slope, ops.zeros_like(p))
    return ops.where(ops.logical_or(p < 0, p > 1), fixed * float("nan"), carried).astype(given.dtype)


@equivalent("torch.special.erfcx")
def erfcx(input, *, out=None):
    """exp(x^2) erfc(x), in float64: the product up to 8, the asymptotic series beyond."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    given = _floating(input)
    x = given.astype(ms.float64)
    far = x > 8
    near = ops.where(far, ops.zeros_like(x), x)
    beyond = ops.where(far, x, ops.ones_like(x))
    y = 1 / (2 * ops.square(beyond))
    series = 1 - y * (1 - 3 * y * (1 - 5 * y * (1 - 7 * y * (1 - 9 * y * (1 - 11 * y)))))
    return ops.where(far, series / (beyond * math.sqrt(math.pi)), ops.exp(ops.square(near)) * ops.erfc(near)).astype(given.dtype)


@equivalent("torch.special.log_ndtr")
def log_ndtr(input, *, out=None):
    """log of `ndtr`, exact far below 0."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    given = _floating(input)
    t = -over_root(given.astype(ms.float64))
    low = t < -1
    below = ops.log(erfcx(ops.where(low, -t, ops.ones_like(t))) / 2) - ops.square(ops.where(low, t, ops.ones_like(t)))
    above = log1p_near_zero(-ops.erfc(ops.where(low, ops.zeros_like(t), t)) / 2)
    return ops.where(low, below, above).astype(given.dtype)


@equivalent("torch.special.entr", differs=[difference("the gradient at 0 is 0, in torch NaN", when="(input == 0).any()", zh="在 0 处梯度为 0，torch 为 NaN")])
def entr(input, *, out=None):
    """-x log x; 0 at 0, -inf below."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    x = _floating(input)
    positive = x > 0
    inside = ops.where(positive, x, ops.ones_like(x))
    outside = ops.where(x == 0, ops.zeros_like(x), ops.where(x < 0, ops.full_like(x, 0) - float("inf"), x))
    return ops.where(positive, -inside * ops.log(inside), outside)


@equivalent("torch.special.xlog1py")
def xlog1py(input, other, *, out=None):
    """x log(1 + y), 0 where x is 0, NaN where y is NaN."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    x = input if isinstance(input, Tensor) else Tensor(input, _floating(other).dtype)
    y = other if isinstance(other, Tensor) else Tensor(other, _floating(input).dtype)
    kind = (ops.zeros((1,), x.dtype) * ops.zeros((1,), y.dtype)).dtype
    kind = kind if kind in (ms.float16, ms.bfloat16, ms.float32, ms.float64) else ms.float32
    x, y = x.astype(kind), y.astype(kind)
    idle = ops.logical_and(x == 0, ops.logical_or(y <= -1, y == math.inf))  # elsewhere the factor is the gradient of x
    return x * log1p_near_zero(ops.where(idle, ops.zeros_like(x * y), y + ops.zeros_like(x)))


@equivalent("torch.special.zeta", differs=[difference("where NaN or infinity is given the result is NaN", when="not ms.isfinite(ms.tensor(input)).all() or not ms.isfinite(ms.tensor(other)).all()", zh="输入含 NaN 或无穷时结果为 NaN")])
def zeta(input, other, *, out=None):
    """The Hurwitz zeta function."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    x = input if isinstance(input, Tensor) else Tensor(input, _floating(other).dtype)
    q = other if isinstance(other, Tensor) else Tensor(other, _floating(input).dtype)
    x, q = _floating(x), _floating(q)
    zero = ops.logical_or(x != 0, q != 0).astype(x.dtype) * 0
    if zero.size == 0:
        return zero
    x, q = x + zero, q + zero
    pole = ops.logical_or(x == 1, ops.logical_and(x > 1, ops.logical_and(q <= 0, q == ops.floor(q))))
    return ops.where(ops.isinf(x), zero + float("nan"), ops.where(pole, zero + float("inf"), ops.zeta(x, q)))


@equivalent("torch.polygamma", opinfo="polygamma", differs=[difference("at the poles it is infinite, where torch gives a large number", when="((input <= 0) & (input.double() % 1 == 0)).any()", risk="style", zh="极点处为无穷，PyTorch 为很大的数"), difference("infinity gives NaN", when="ms.isinf(input).any()", zh="无穷得到 NaN"), difference("float64 is computed with the accuracy of float32", when="input.dtype == ms.float64", zh="float64 只有 float32 的精度")])
def polygamma(n, input, *, out=None):
    """The n-th derivative of digamma. https://docs.pytorch.org/docs/2.13/generated/torch.polygamma.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if n == 0:
        return ops.digamma(_floating(input))
    return ops.polygamma(Tensor(n, ms.int64), _floating(input))


@equivalent("torch.special.polygamma", differs=[difference("at the poles it is infinite, where torch gives a large number", when="((input <= 0) & (input.double() % 1 == 0)).any()", risk="style", zh="极点处为无穷，PyTorch 为很大的数"), difference("infinity gives NaN", when="ms.isinf(input).any()", zh="无穷得到 NaN"), difference("float64 is computed with the accuracy of float32", when="input.dtype == ms.float64", zh="float64 只有 float32 的精度")])
def special_polygamma(n, input, *, out=None):
    """The n-th derivative of digamma."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return polygamma(n, input)


@equivalent("torch.Tensor.polygamma", differs=[difference("at the poles it is infinite, where torch gives a large number", when="((self <= 0) & (self.double() % 1 == 0)).any()", risk="style", zh="极点处为无穷，PyTorch 为很大的数"), difference("infinity gives NaN", when="ms.isinf(self).any()", zh="无穷得到 NaN"), difference("float64 is computed with the accuracy of float32", when="self.dtype == ms.float64", zh="float64 只有 float32 的精度")])
def tensor_polygamma(self, n):
    """The n-th derivative of digamma."""
    return polygamma(n, self)


@equivalent("torch.mvlgamma", "torch.special.multigammaln", "torch.Tensor.mvlgamma")
def mvlgamma(input, p, *, out=None):
    """log of the multivariate gamma function of dimension p."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    x = _floating(input)
    result = p * (p - 1) / 4 * math.log(math.pi)
    for j in range(p):
        result = result + ops.lgamma(x - j / 2)
    return result


@equivalent("torch.igamma", "torch.special.gammainc", "torch.Tensor.igamma", differs=[difference("an infinite first argument gives NaN", when="isinstance(input, Tensor) and ms.isinf(input).any()", zh="第一个参数为无穷时得到 NaN"), difference("float64 is computed with the accuracy of float32", when="input.dtype == ms.float64", zh="float64 只有 float32 的精度")])
def igamma(input, other, *, out=None):
    """The regularised lower incomplete gamma function; torch has its gradient in `other` only."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.igamma(_floating(input), _floating(other))


@equivalent("torch.igammac", "torch.special.gammaincc", "torch.Tensor.igammac", differs=[difference("an infinite first argument gives NaN", when="isinstance(input, Tensor) and ms.isinf(input).any()", zh="第一个参数为无穷时得到 NaN"), difference("float64 is computed with the accuracy of float32", when="input.dtype == ms.float64", zh="float64 只有 float32 的精度")])
def igammac(input, other, *, out=None):
    """The regularised upper incomplete gamma function; torch has its gradient in `other` only."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.igammac(_floating(input), _floating(other))
