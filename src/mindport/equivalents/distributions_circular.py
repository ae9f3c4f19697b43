"""The von Mises distribution of angles. https://docs.pytorch.org/docs/2.13/distributions.html#vonmises"""

import math

import mindspore as ms
from mindspore import ops

from mindport.declare import layer
from mindport.equivalents.bessel import i0e, i1e
from mindport.equivalents.distributions_base import UNCHECKED, AroundLoc, tensors_of, uniform_draw


@layer("torch.distributions.VonMises", drops=UNCHECKED)
class VonMises(AroundLoc):
    """Angles in radians around `loc`, with densities proportional to exp(concentration cos(x - loc)); loc is their mean on the circle."""

    parameter_names = ("loc", "concentration")

    def __init__(self, loc, concentration, validate_args=None):
        self.loc, self.concentration = tensors_of(loc, concentration)
        super().__init__(self.loc.shape)

    @property
    def variance(self):
        """1 - I1(concentration) / I0(concentration), the variance on the circle."""
        return 1 - i1e(self.concentration) / i0e(self.concentration)

    def sample(self, sample_shape=()):
        """Angles from -pi to pi: Best and Fisher's rejection from a wrapped Cauchy distribution (Applied Statistics, 1979)."""
        shape = self._extended_shape(sample_shape)
        kappa = ops.broadcast_to(self.concentration, shape).astype(ms.float64)
        tau = 1 + ops.sqrt(1 + 4 * ops.square(kappa))
        rho = (tau - ops.sqrt(2 * tau)) / (2 * kappa)
        r = ops.where(kappa < 1e-5, 1 / kappa + kappa, (1 + ops.square(rho)) / (2 * rho))
        angles, done = ops.zeros_like(kappa), ops.zeros_like(kappa).astype(ms.bool_)
        while not done.all():
            turned, chance, side = (uniform_draw(shape, ms.float64) for _ in range(3))
            z = ops.cos(math.pi * turned)
            f = (1 + r * z) / (r + z)
            c = kappa * (r - f)
            taken = ops.logical_or(c * (2 - c) - chance > 0, ops.log(c / chance) + 1 - c >= 0)
            angles = ops.where(taken, ops.sign(side - 0.5) * ops.acos(ops.clamp(f, -1, 1)), angles)
            done = ops.logical_or(done, taken)
        turned = angles + math.pi + ops.broadcast_to(self.loc, shape).astype(ms.float64)
        return ops.stop_gradient((ops.floor_mod(turned, ms.Tensor(2 * math.pi, ms.float64)) - math.pi).astype(self.loc.dtype))

    def log_prob(self, value):
        """concentration cos(value - loc) - log(2 pi I0(concentration))."""
        kappa = self.concentration
        return kappa * ops.cos(value - self.loc) - math.log(2 * math.pi) - kappa - ops.log(i0e(kappa))
