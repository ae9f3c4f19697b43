"""Gamma variables that are differentiable in their concentration: implicit reparameterisation.

A variable x of concentration a is kept at its quantile P(a, x) while a moves: dx/da = -(dP/da) / (dP/dx). The slope of the quantile
function is measured on the host in float64, by steps to both sides along the tail that holds less, so that no digits are lost.
Figurnov, Mohamed and Mnih, "Implicit Reparameterization Gradients", https://arxiv.org/abs/1805.08498
"""

import mindspore as ms
import numpy as np
from mindspore import ops
from scipy import special

from mindport.equivalents.distributions_base import gamma_draw

#: The relative step in the concentration; the slope is off by its square.
STEP = 1e-4


def gamma_slope(concentration, value):
    """dx/da of NumPy arrays in float64."""
    below = special.gammainc(concentration, value)
    step = STEP * concentration
    more, less = concentration + step, concentration - step
    with np.errstate(all="ignore"):
        lower = special.gammaincinv(more, below) - special.gammaincinv(less, below)
        above = special.gammaincc(concentration, value)
        upper = special.gammainccinv(more, above) - special.gammainccinv(less, above)
    return np.where(below < 0.5, lower, upper) / (2 * step)


def differentiable_gamma(sample_shape, concentration):
    """Numbers of the gamma distribution with rate 1, differentiable once in `concentration`."""
    drawn = gamma_draw(sample_shape, concentration)
    wide = np.broadcast_to(concentration.asnumpy().astype(np.float64), drawn.shape)
    slope = ms.Tensor(gamma_slope(wide, drawn.asnumpy().astype(np.float64)), drawn.dtype)
    return drawn + slope * (concentration - ops.stop_gradient(concentration))
