"""Bessel and Airy functions of torch.special, elementwise. Integers and booleans count as float32."""

import mindspore as ms
import numpy as np
from mindspore import ops
from scipy.special import airy

from mindport.declare import Refused, difference, equivalent

#: torch's autograd has no rule for these, and lets a gradient end there; what they are composed of has one.
DERIVATIVE = difference("torch has no derivative of it, and a gradient ends there; here it has one", when="input.requires_grad", zh="torch 对此没有导数，梯度在此终止；这里有导数")
DERIVATIVE_BY_X = difference("torch has no derivative of it, and a gradient ends there; here it has one", when="x.requires_grad", zh="torch 对此没有导数，梯度在此终止；这里有导数")

#: Nearer to 0 than this the first term of a series is all that float64 shows.
NEAR_ZERO = 1e-8


def _floating(x):
    """float32 for integers and booleans; MindSpore's kernels are for floating numbers only."""
    return x if x.is_floating_point() else x.astype(ms.float32)


def _right_of_zero(x, value):
    """NaN below 0, where MindSpore's kernels give an infinity."""
    return ops.where(x < 0, ops.zeros_like(x) / 0, value)


@equivalent("torch.special.bessel_j0", differs=[difference("float64 is computed with the accuracy of float32", when="input.dtype == ms.float64", zh="float64 只有 float32 的精度"), DERIVATIVE])
def bessel_j0(input, *, out=None):
    """The Bessel function of the first kind, order 0."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.bessel_j0(_floating(input))


@equivalent("torch.special.bessel_j1", differs=[DERIVATIVE])
def bessel_j1(input, *, out=None):
    """The Bessel function of the first kind, order 1."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.bessel_j1(_floating(input))


@equivalent("torch.special.bessel_y0", differs=[DERIVATIVE])
def bessel_y0(input, *, out=None):
    """The Bessel function of the second kind, order 0."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return _right_of_zero(_floating(input), ops.bessel_y0(_floating(input)))


@equivalent("torch.special.bessel_y1", differs=[difference("float64 is computed with the accuracy of float32", when="input.dtype == ms.float64", zh="float64 只有 float32 的精度"), DERIVATIVE])
def bessel_y1(input, *, out=None):
    """The Bessel function of the second kind, order 1."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    x = _floating(input)
    return ops.where(x == 0, ops.zeros_like(x) - float("inf"), _right_of_zero(x, ops.bessel_y1(x)))


@equivalent("torch.special.modified_bessel_i0", differs=[DERIVATIVE])
def modified_bessel_i0(input, *, out=None):
    """The modified Bessel function of the first kind, order 0."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.bessel_i0(_floating(input))


@equivalent("torch.special.modified_bessel_i1", differs=[DERIVATIVE])
def modified_bessel_i1(input, *, out=None):
    """The modified Bessel function of the first kind, order 1."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    x = _floating(input)
    near = ops.abs(x) < NEAR_ZERO
    return ops.where(near, x / 2, ops.bessel_i1(ops.where(near, ops.ones_like(x), x)))


@equivalent("torch.special.modified_bessel_k0", differs=[DERIVATIVE])
def modified_bessel_k0(input, *, out=None):
    """The modified Bessel function of the second kind, order 0."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return _right_of_zero(_floating(input), ops.bessel_k0(_floating(input)))


@equivalent("torch.special.modified_bessel_k1", differs=[DERIVATIVE])
def modified_bessel_k1(input, *, out=None):
    """The modified Bessel function of the second kind, order 1."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return _right_of_zero(_floating(input), ops.bessel_k1(_floating(input)))


@equivalent("torch.special.scaled_modified_bessel_k0", differs=[DERIVATIVE_BY_X])
def scaled_modified_bessel_k0(x, *, out=None):
    """The exp(x) times the modified Bessel function of the second kind, order 0."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return _right_of_zero(_floating(x), ops.bessel_k0e(_floating(x)))


@equivalent("torch.special.scaled_modified_bessel_k1", differs=[DERIVATIVE_BY_X])
def scaled_modified_bessel_k1(x, *, out=None):
    """The exp(x) times the modified Bessel function of the second kind, order 1."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return _right_of_zero(_floating(x), ops.bessel_k1e(_floating(x)))


@equivalent("torch.special.i0e")
def i0e(input, *, out=None):
    """The exp(-|x|) times the modified Bessel function of order 0."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.bessel_i0e(_floating(input))


@equivalent("torch.special.i1")
def i1(input, *, out=None):
    """The modified Bessel function of order 1."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    x = _floating(input)
    near = ops.abs(x) < NEAR_ZERO
    return ops.where(near, x / 2, ops.bessel_i1(ops.where(near, ops.ones_like(x), x)))


@equivalent("torch.special.i1e")
def i1e(input, *, out=None):
    """The exp(-|x|) times the modified Bessel function of order 1."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.bessel_i1e(_floating(input))


@equivalent("torch.special.spherical_bessel_j0", differs=[DERIVATIVE])
def spherical_bessel_j0(input, *, out=None):
    """sin(x) / x, 1 at 0, 0 at infinity; by its series near 0, as torch."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    x = _floating(input)
    far = ops.abs(x) >= 0.5
    safe = ops.where(far, x, ops.ones_like(x))
    y = ops.square(ops.where(far, ops.zeros_like(x), x))
    series = 1 - y / 6 * (1 - y / 20 * (1 - y / 42 * (1 - y / 72 * (1 - y / 110))))
    return ops.where(ops.isinf(x), ops.zeros_like(x), ops.where(far, ops.sin(safe) / safe, series))


@equivalent("torch.special.airy_ai", differs=[difference("far below zero, where the angle of the wave is not known to torch's precision either, other values", when="(input < -10000).any()", zh="远离零的负数处数值不同")])
def airy_ai(input, *, out=None):
    """The Airy function Ai, on the host by SciPy; no gradient, as in torch."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    host = _floating(input).asnumpy()
    # beyond 110 the value is below all floating numbers, and SciPy gives up; of both infinities torch gives NaN
    values = np.where(np.isinf(host), np.nan, np.where(host > 110, 0, airy(np.minimum(host, 110).astype(np.float64))[0]))
    return ms.Tensor(values.astype(host.dtype))
