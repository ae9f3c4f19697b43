"""log(1 + x), exp(x) - 1 and log(1 + exp(x)) that keep their digits where they are small.

MindSpore's CPU kernels compute these as they are written here: next to 0 (softplus: below -16) nothing is left of them in float32, so that
``log(softplus(rho))`` is minus infinity and ``x / expm1(x)`` is NaN, without an error. Measured by `benchmarks/whole_range.py`; docs/differences/functions.md.
"""

import mindspore as ms
from mindspore import ops

from mindport.equivalents.exact_numbers import exact


def log1p_near_zero(x):
    """log(1 + x): near 0 by the series of 2 artanh(x / (2 + x)), whose first left-out term is below 1e-11 of it."""
    if x.is_complex():
        return ops.log1p(x)
    small = ops.clamp(x, -0.1, 0.1)
    z = small / (2 + small)
    square = z * z
    series = 2 * z * (1 + square * (1 / 3 + square * (1 / 5 + square / 7)))
    return ops.where(ops.abs(x) < 0.1, series, ops.log1p(x))


def expm1_near_zero(x):
    """exp(x) - 1: between -1 and 1 by the tangent of half of x, which has no difference of near numbers."""
    if x.is_complex():
        return ops.expm1(x)
    t = ops.tanh(ops.clamp(x, -1, 1) / 2)
    return ops.where(ops.abs(x) < 1, 2 * t / (1 - t), ops.expm1(x))


def softplus_of(x, beta=1, threshold=20):
    """log(1 + exp(beta x)) / beta, x itself where beta x exceeds the threshold; below -3 by the series, elsewhere as it stands."""
    if x.dtype in (ms.float16, ms.bfloat16):  # in which the exponential of 20 is infinite
        return softplus_of(x.astype(ms.float32), beta, threshold).astype(x.dtype)
    beta = exact(beta, x)
    scaled = x * beta
    large = scaled > threshold
    grown = ops.exp(ops.where(large, 0.0, scaled))
    z = ops.where(scaled < -3, grown, 0.0)
    z = z / (2 + z)
    square = z * z
    series = 2 * z * (1 + square * (1 / 3 + square * (1 / 5 + square / 7)))
    return ops.where(large, x, ops.where(scaled < -3, series, ops.log(1 + grown)) / beta)
