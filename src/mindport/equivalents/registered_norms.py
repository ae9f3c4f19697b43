"""The second gradient of group norm, which MindSpore lacks: the derivative of its backward pass, by its arguments."""

from mindspore import ops
from mindspore.ops.auto_generate import GroupNormGrad


def centred(v, normal, r):
    """r · (v − mean(v) − x̂ · mean(v x̂)) of each row: the backward pass itself, which is its own transpose."""
    return r * (v - v.mean(1, keep_dims=True) - normal * (v * normal).mean(1, keep_dims=True))


def of_rows(g, x, mean, r, u, v):
    """The gradients of Σ u · dx + Σ v · x̂, for rows of n elements with the mean and 1 / deviation of each, by g and by x.

    dx = centred(g), and with c = mean(g x̂), d = mean(u x̂): ∂Σ u dx / ∂x̂ = −r (d g + c u), ∂Σ u dx / ∂r = Σ u dx / r, ∂r / ∂x = −r² x̂ / n.
    """
    normal = (x - mean) * r
    c, d = (g * normal).mean(1, keep_dims=True), (u * normal).mean(1, keep_dims=True)
    by_normal = v - r * (d * g + c * u)
    held = (u * centred(g, normal, r)).mean(1, keep_dims=True)
    return centred(u, normal, r), centred(by_normal, normal, r) - held * r * normal, normal


def second(dy, x, mean, r, gamma, rows, dout):
    """(by dy, by x, by gamma) for dy and x of (N, C, …), gamma of (C,); `dout`: the gradients by dx, dgamma and dbeta."""
    shape, channels = x.shape, (1, x.shape[1]) + (1,) * (x.ndim - 2)
    weight = gamma.reshape(channels) + ops.zeros_like(x)
    u, by_gamma, by_beta = dout[0], dout[1].reshape(channels), dout[2].reshape(channels)
    column = (rows, 1)
    flat = (rows, -1)
    through, by_x, normal = of_rows(
        (dy * weight).reshape(flat), x.reshape(flat), mean.reshape(column), r.reshape(column), u.reshape(flat), (dy * by_gamma).reshape(flat)
    )  # fmt: skip
    through = through.reshape(shape)
    summed = (dy * through).transpose((1, 0) + tuple(range(2, x.ndim))).reshape((shape[1], -1)).sum(1)
    return weight * through + by_gamma * normal.reshape(shape) + by_beta, by_x.reshape(shape), summed.reshape(gamma.shape)


def of_group_norm(primitive):
    """By dy, x, and the weight; the means and deviations belong to x."""

    def bprop(dy, x, mean, r, gamma, groups, dx_wanted, dgamma_wanted, dbeta_wanted, out, dout):
        by_dy, by_x, by_gamma = second(dy, x, mean, r, gamma, x.shape[0] * groups, dout)
        return by_dy, by_x, ops.zeros_like(mean), ops.zeros_like(r), by_gamma, 0, False, False, False

    return bprop


#: Primitive → rule.
OF_NORMS = ((GroupNormGrad, of_group_norm),)
