"""Second gradients of functions in straight pieces and of two losses, which MindSpore lacks.

Each rule gives the gradients by the primitive's arguments; `dout` is the gradient by its result.
"""

from mindspore import ops
from mindspore.ops.auto_generate import (
    BinaryCrossEntropyGrad,
    HShrinkGrad,
    PReLUGrad,
    SmoothL1LossGrad,
    SoftShrinkGrad,
)

#: How primitives call reductions.
NONE = 2
MEAN = 1
#: What MindSpore's kernel adds to the divisor of binary cross entropy.
EPSILON = 1e-12


def of_prelu(primitive):
    """dx = dy · (1 or the slope), dslope = Σ dy · min(x, 0) of each channel."""

    def bprop(dy, x, slope, out, dout):
        shape = (1, -1) + (1,) * (x.ndim - 2) if x.ndim > 1 else (-1,)
        low = (x <= 0).astype(x.dtype)
        slopes, by_slope = slope.reshape(shape), dout[1].reshape(shape)
        by_dy = dout[0] * (1 - low + low * slopes) + by_slope * low * x
        each = dout[0] * dy * low
        if slope.size > 1:
            each = each.transpose((1, 0) + tuple(range(2, x.ndim))).reshape((slope.size, -1)).sum(1)
        else:
            each = each.sum()
        return by_dy, by_slope * dy * low, each.reshape(slope.shape)

    return bprop


def of_shrinking(primitive):
    """dx = dy beyond the limit."""

    def bprop(dy, x, limit, out, dout):
        return dout * (ops.abs(x) > limit).astype(x.dtype), ops.zeros_like(x), 0.0

    return bprop


def of_smooth_l1(primitive):
    """dx = dy · (d / beta within beta, else the sign of d), d the difference, over the number of elements for a mean."""

    def bprop(x, target, dy, beta, reduction, out, dout):
        d = x - target
        inner = (ops.abs(d) < beta).astype(x.dtype)
        share = dout / x.size if reduction == MEAN else dout
        by_dy = share * (inner * d / beta + (1 - inner) * ops.sign(d))
        by_x = share * dy * inner / beta
        return by_x, -by_x, by_dy if reduction == NONE else by_dy.sum().reshape(dy.shape), 0.0, 0

    return bprop


def of_probabilities(primitive):
    """dx = dy · w · (x − t) / (x · (1 − x)), over the number of elements for a mean."""

    def bprop(x, t, dy, weight, reduction, out, dout):
        share = dout if weight is None else dout * weight
        share = share / x.size if reduction == MEAN else share
        below = x * (1 - x) + EPSILON
        by_dy = share * (x - t) / below
        by_x = share * dy * (1 / below - (x - t) * (1 - 2 * x) / (below * below))
        by_weight = weight if weight is None else ops.zeros_like(weight)
        return by_x, -share * dy / below, by_dy if reduction == NONE else by_dy.sum().reshape(dy.shape), by_weight, 0

    return bprop


#: Primitive → rule.
OF_PIECES = (
    (PReLUGrad, of_prelu), (SoftShrinkGrad, of_shrinking), (HShrinkGrad, of_shrinking),
    (SmoothL1LossGrad, of_smooth_l1), (BinaryCrossEntropyGrad, of_probabilities),
)  # fmt: skip
