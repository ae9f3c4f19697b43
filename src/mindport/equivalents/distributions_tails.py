"""Pareto, generalised Pareto, Weibull and half-Cauchy distributions. https://docs.pytorch.org/docs/2.13/distributions.html"""

import math

import mindspore as ms
from mindspore import ops

from mindport.declare import layer
from mindport.equivalents.distributions_base import (
    UNCHECKED,
    Distribution,
    HalfDistribution,
    tensors_of,
    uniform_draw,
)
from mindport.equivalents.distributions_continuous import EULER
from mindport.equivalents.exponential import lgamma


def known_where(condition, known, other):
    """`known` where the condition holds, else a number."""
    return ops.where(condition, known, ops.full_like(known, other))


@layer("torch.distributions.Pareto", drops=UNCHECKED)
class Pareto(Distribution):
    """Values from `scale` on with densities alpha scale^alpha / x^(alpha + 1)."""

    has_rsample = True
    parameter_names = ("scale", "alpha")

    def __init__(self, scale, alpha, validate_args=None):
        self.scale, self.alpha = tensors_of(scale, alpha)
        super().__init__(self.scale.shape)

    @property
    def mean(self):
        """alpha scale / (alpha - 1), infinite up to alpha 1."""
        a = ops.clamp(self.alpha, 1)
        return a * self.scale / (a - 1)

    @property
    def mode(self):
        """scale."""
        return self.scale

    @property
    def variance(self):
        """scale² alpha / ((alpha - 1)² (alpha - 2)), infinite up to alpha 2."""
        a = ops.clamp(self.alpha, 2)
        return ops.square(self.scale) * a / (ops.square(a - 1) * (a - 2))

    def rsample(self, sample_shape=()):
        """scale exp(e / alpha) of exponential samples."""
        drawn = -ops.log(uniform_draw(self._extended_shape(sample_shape), self.scale.dtype))
        return self.scale * ops.exp(drawn / self.alpha)

    def log_prob(self, value):
        """The logarithm of the density."""
        return ops.log(self.alpha) - self.alpha * ops.log(value / self.scale) - ops.log(value)

    def cdf(self, value):
        """1 - (scale / x)^alpha."""
        return 1 - ops.exp(-self.alpha * ops.log(value / self.scale))

    def icdf(self, value):
        """Its inverse."""
        return self.scale * ops.exp(-ops.log1p(-value) / self.alpha)

    def entropy(self):
        """log(scale / alpha) + 1 + 1 / alpha."""
        return ops.log(self.scale / self.alpha) + 1 + 1 / self.alpha


@layer("torch.distributions.GeneralizedPareto", drops=UNCHECKED)
class GeneralizedPareto(Distribution):
    """The tail beyond `loc`: exponential where `concentration` is 0, uniform at -1, Pareto's above 0."""

    has_rsample = True
    parameter_names = ("loc", "scale", "concentration")

    def __init__(self, loc, scale, concentration, validate_args=None):
        self.loc, self.scale, self.concentration = tensors_of(loc, scale, concentration)
        super().__init__(self.loc.shape)

    def _is_exponential(self):
        return ops.abs(self.concentration) <= 1e-8

    def _nonzero(self):
        return ops.where(self._is_exponential(), ops.ones_like(self.concentration), self.concentration)

    @property
    def mean(self):
        """loc + scale / (1 - concentration), NaN from concentration 1 on."""
        known = self.concentration < 1
        share = ops.where(known, self.concentration, ops.full_like(self.concentration, 0.5))
        return known_where(known, self.loc + self.scale / (1 - share), math.nan)

    @property
    def mode(self):
        """loc."""
        return self.loc

    @property
    def variance(self):
        """scale² / ((1 - c)² (1 - 2 c)), NaN from concentration 0.5 on."""
        known = self.concentration < 0.5
        c = ops.where(known, self.concentration, ops.full_like(self.concentration, 0.25))
        return known_where(known, ops.square(self.scale) / (ops.square(1 - c) * (1 - 2 * c)), math.nan)

    def rsample(self, sample_shape=()):
        """The inverse distribution function of uniform samples."""
        return self.icdf(uniform_draw(self._extended_shape(sample_shape), self.loc.dtype))

    def log_prob(self, value):
        """The logarithm of the density."""
        z, c = (value - self.loc) / self.scale, self._nonzero()
        slope = 1 / c + ops.ones_like(z)
        bent = ops.where(slope == 0, slope, slope * ops.log1p(c * z))
        return -ops.log(self.scale) - ops.where(self._is_exponential(), z, bent)

    def log_survival_function(self, value):
        """The logarithm of the probability of more than `value`."""
        z, c = (value - self.loc) / self.scale, self._nonzero()
        return ops.where(self._is_exponential(), -z, -ops.log1p(c * z) / c)

    def log_cdf(self, value):
        """The logarithm of the distribution function."""
        return ops.log1p(-ops.exp(self.log_survival_function(value)))

    def cdf(self, value):
        """1 less the survival function."""
        return ops.exp(self.log_cdf(value))

    def icdf(self, value):
        """The inverse of the distribution function."""
        logarithm, c = ops.log1p(-value), self._nonzero()
        bent = self.loc + self.scale / c * ops.expm1(-c * logarithm)
        return ops.where(self._is_exponential(), self.loc - self.scale * logarithm, bent)

    def entropy(self):
        """log(scale) + concentration + 1."""
        return ops.log(self.scale) + self.concentration + 1


@layer("torch.distributions.Weibull", drops=UNCHECKED)
class Weibull(Distribution):
    """scale e^(1 / concentration) of an exponential variable e."""

    has_rsample = True
    parameter_names = ("scale", "concentration")

    def __init__(self, scale, concentration, validate_args=None):
        self.scale, self.concentration = tensors_of(scale, concentration)
        super().__init__(self.scale.shape)

    @property
    def mean(self):
        """scale Γ(1 + 1 / concentration)."""
        return self.scale * ops.exp(lgamma(1 + 1 / self.concentration))

    @property
    def mode(self):
        """scale ((k - 1) / k)^(1 / k), NaN below concentration k = 1."""
        k = self.concentration
        return self.scale * ops.pow((k - 1) / k, 1 / k)

    @property
    def variance(self):
        """scale² (Γ(1 + 2 / k) - Γ(1 + 1 / k)²)."""
        k = self.concentration
        return ops.square(self.scale) * (ops.exp(lgamma(1 + 2 / k)) - ops.exp(2 * lgamma(1 + 1 / k)))

    def rsample(self, sample_shape=()):
        """Powers of exponential samples."""
        drawn = -ops.log(uniform_draw(self._extended_shape(sample_shape), self.scale.dtype))
        return self.scale * ops.pow(drawn, 1 / self.concentration)

    def log_prob(self, value):
        """The logarithm of the density."""
        share, k = value / self.scale, self.concentration
        return ops.log(k / self.scale) + (k - 1) * ops.log(share) - ops.pow(share, k)

    def cdf(self, value):
        """1 - exp(-(x / scale)^concentration)."""
        return 1 - ops.exp(-ops.pow(value / self.scale, self.concentration))

    def icdf(self, value):
        """Its inverse."""
        return self.scale * ops.pow(-ops.log1p(-value), 1 / self.concentration)

    def entropy(self):
        """The entropy in nats."""
        k = self.concentration
        return EULER * (1 - 1 / k) + ops.log(self.scale / k) + 1


@layer("torch.distributions.HalfCauchy", drops=UNCHECKED)
class HalfCauchy(HalfDistribution):
    """The absolute value of a Cauchy variable around 0."""

    def __init__(self, scale, validate_args=None):
        super().__init__(scale)

    @property
    def mean(self):
        """Infinite."""
        return ops.full_like(self.scale, math.inf)

    @property
    def variance(self):
        """Infinite."""
        return ops.full_like(self.scale, math.inf)

    def rsample(self, sample_shape=()):
        """Absolute values of Cauchy samples."""
        return self.icdf(uniform_draw(self._extended_shape(sample_shape), self.scale.dtype))

    def log_prob(self, value):
        """Twice the Cauchy density; -inf below 0."""
        density = math.log(2 / math.pi) - ops.log(self.scale) - ops.log1p(ops.square(value / self.scale))
        return ops.where(value >= 0, density, ms.Tensor(-math.inf, self.scale.dtype))

    def cdf(self, value):
        """2 atan(x / scale) / pi."""
        return 2 * ops.atan(value / self.scale) / math.pi

    def icdf(self, value):
        """Its inverse."""
        return self.scale * ops.tan(0.5 * math.pi * value)

    def entropy(self):
        """log(2 pi scale)."""
        return math.log(2 * math.pi) + ops.log(self.scale)
