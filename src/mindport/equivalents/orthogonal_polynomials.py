"""Orthogonal polynomials of torch.special, by their three-term recurrences.

The degree may differ from element to element: the recurrence runs to the largest, and each element keeps the
value of its own degree.
"""

import mindspore as ms
from mindspore import Tensor, ops

from mindport.declare import Refused, difference, equivalent

#: torch's autograd has no rule for these, and lets a gradient end there; what they are composed of has one.
DERIVATIVE = difference("torch has no derivative of it, and a gradient ends there; here it has one", when="isinstance(input, Tensor) and input.requires_grad", zh="torch 对此没有导数，梯度在此终止；这里有导数")
COSINES = difference("of degrees above 6 between -1 and 1 torch takes cosines, which is off by up to 1e-4", when="(ms.tensor(n) > 6).any() and (ms.tensor(input).abs() < 1).any()", risk="style", zh="次数大于 6 且 |x|<1 时 PyTorch 用余弦计算，误差可达 1e-4")
HOLES = difference("NaN gives NaN (torch: an unspecified number)", when="isinstance(input, Tensor) and ms.isnan(input).any()", zh="NaN 得到 NaN（PyTorch 的结果不确定）")


def _recurrence(x, n, linear, following):
    """p_0 = 1, p_1 = linear(x), p_k = following(k, x, p_{k-1}, p_{k-2}); 0 where the degree is negative."""
    floating = [t.dtype for t in (x, n) if isinstance(t, Tensor) and t.is_floating_point()]
    kind = ms.float64 if ms.float64 in floating else floating[0] if floating and floating[0] == floating[-1] else ms.float32
    x = x.astype(kind) if isinstance(x, Tensor) else Tensor(x, kind)
    n = n.astype(ms.int64) if isinstance(n, Tensor) else Tensor(int(n), ms.int64)
    zero = ops.zeros_like(x * n.astype(kind))
    zero = ops.zeros(zero.shape, kind)
    x, n = x + zero, n + zero.astype(ms.int64)
    if x.size == 0:
        return x
    before, last = zero + 1, linear(x)
    result = ops.where(n == 0, before, ops.where(n == 1, last, zero))
    for k in range(2, int(n.max()) + 1):
        before, last = last, following(k, x, last, before)
        result = ops.where(n == k, last, result)
    return result


def _chebyshev_polynomial_t_linear(x):
    return x


def _chebyshev_polynomial_t_following(k, x, last, before):
    return 2 * x * last - before


@equivalent("torch.special.chebyshev_polynomial_t", differs=[HOLES, COSINES, DERIVATIVE])
def chebyshev_polynomial_t(input, n, *, out=None):
    """The Chebyshev polynomials of the first kind, of degree n at each element."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return _recurrence(input, n, _chebyshev_polynomial_t_linear, _chebyshev_polynomial_t_following)


def _chebyshev_polynomial_u_linear(x):
    return 2 * x


def _chebyshev_polynomial_u_following(k, x, last, before):
    return 2 * x * last - before


@equivalent("torch.special.chebyshev_polynomial_u", differs=[HOLES, COSINES, DERIVATIVE])
def chebyshev_polynomial_u(input, n, *, out=None):
    """The Chebyshev polynomials of the second kind, of degree n at each element."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return _recurrence(input, n, _chebyshev_polynomial_u_linear, _chebyshev_polynomial_u_following)


def _chebyshev_polynomial_v_linear(x):
    return 2 * x - 1


def _chebyshev_polynomial_v_following(k, x, last, before):
    return 2 * x * last - before


@equivalent("torch.special.chebyshev_polynomial_v", differs=[HOLES, COSINES, DERIVATIVE])
def chebyshev_polynomial_v(input, n, *, out=None):
    """The Chebyshev polynomials of the third kind, of degree n at each element."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return _recurrence(input, n, _chebyshev_polynomial_v_linear, _chebyshev_polynomial_v_following)


def _chebyshev_polynomial_w_linear(x):
    return 2 * x + 1


def _chebyshev_polynomial_w_following(k, x, last, before):
    return 2 * x * last - before


@equivalent("torch.special.chebyshev_polynomial_w", differs=[HOLES, COSINES, DERIVATIVE])
def chebyshev_polynomial_w(input, n, *, out=None):
    """The Chebyshev polynomials of the fourth kind, of degree n at each element."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return _recurrence(input, n, _chebyshev_polynomial_w_linear, _chebyshev_polynomial_w_following)


def _hermite_polynomial_h_linear(x):
    return 2 * x


def _hermite_polynomial_h_following(k, x, last, before):
    return 2 * (x * last - (k - 1) * before)


@equivalent("torch.special.hermite_polynomial_h", differs=[HOLES, DERIVATIVE])
def hermite_polynomial_h(input, n, *, out=None):
    """The physicists' Hermite polynomials, of degree n at each element."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return _recurrence(input, n, _hermite_polynomial_h_linear, _hermite_polynomial_h_following)


def _hermite_polynomial_he_linear(x):
    return x


def _hermite_polynomial_he_following(k, x, last, before):
    return x * last - (k - 1) * before


@equivalent("torch.special.hermite_polynomial_he", differs=[HOLES, DERIVATIVE])
def hermite_polynomial_he(input, n, *, out=None):
    """The probabilists' Hermite polynomials, of degree n at each element."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return _recurrence(input, n, _hermite_polynomial_he_linear, _hermite_polynomial_he_following)


def _laguerre_polynomial_l_linear(x):
    return 1 - x


def _laguerre_polynomial_l_following(k, x, last, before):
    return ((2 * k - 1 - x) * last - (k - 1) * before) / k


@equivalent("torch.special.laguerre_polynomial_l", differs=[HOLES, DERIVATIVE])
def laguerre_polynomial_l(input, n, *, out=None):
    """The Laguerre polynomials, of degree n at each element."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return _recurrence(input, n, _laguerre_polynomial_l_linear, _laguerre_polynomial_l_following)


def _legendre_polynomial_p_linear(x):
    return x


def _legendre_polynomial_p_following(k, x, last, before):
    return ((2 * k - 1) * x * last - (k - 1) * before) / k


@equivalent("torch.special.legendre_polynomial_p", differs=[HOLES, DERIVATIVE])
def legendre_polynomial_p(input, n, *, out=None):
    """The Legendre polynomials, of degree n at each element."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return _recurrence(input, n, _legendre_polynomial_p_linear, _legendre_polynomial_p_following)


def _shifted_chebyshev_polynomial_t_linear(x):
    return 2 * x - 1


def _shifted_chebyshev_polynomial_t_following(k, x, last, before):
    return (4 * x - 2) * last - before


@equivalent("torch.special.shifted_chebyshev_polynomial_t", differs=[HOLES, DERIVATIVE])
def shifted_chebyshev_polynomial_t(input, n, *, out=None):
    """The Chebyshev polynomials of the first kind in 2 x - 1, of degree n at each element."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return _recurrence(input, n, _shifted_chebyshev_polynomial_t_linear, _shifted_chebyshev_polynomial_t_following)


def _shifted_chebyshev_polynomial_u_linear(x):
    return 4 * x - 2


def _shifted_chebyshev_polynomial_u_following(k, x, last, before):
    return (4 * x - 2) * last - before


@equivalent("torch.special.shifted_chebyshev_polynomial_u", differs=[HOLES, DERIVATIVE])
def shifted_chebyshev_polynomial_u(input, n, *, out=None):
    """The Chebyshev polynomials of the second kind in 2 x - 1, of degree n at each element."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return _recurrence(input, n, _shifted_chebyshev_polynomial_u_linear, _shifted_chebyshev_polynomial_u_following)


def _shifted_chebyshev_polynomial_v_linear(x):
    return 4 * x - 3


def _shifted_chebyshev_polynomial_v_following(k, x, last, before):
    return (4 * x - 2) * last - before


@equivalent("torch.special.shifted_chebyshev_polynomial_v", differs=[HOLES, DERIVATIVE])
def shifted_chebyshev_polynomial_v(input, n, *, out=None):
    """The Chebyshev polynomials of the third kind in 2 x - 1, of degree n at each element."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return _recurrence(input, n, _shifted_chebyshev_polynomial_v_linear, _shifted_chebyshev_polynomial_v_following)


def _shifted_chebyshev_polynomial_w_linear(x):
    return 4 * x - 1


def _shifted_chebyshev_polynomial_w_following(k, x, last, before):
    return (4 * x - 2) * last - before


@equivalent("torch.special.shifted_chebyshev_polynomial_w", differs=[HOLES, DERIVATIVE])
def shifted_chebyshev_polynomial_w(input, n, *, out=None):
    """The Chebyshev polynomials of the fourth kind in 2 x - 1, of degree n at each element."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return _recurrence(input, n, _shifted_chebyshev_polynomial_w_linear, _shifted_chebyshev_polynomial_w_following)
