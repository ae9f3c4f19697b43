"""Continuous distributions of location and scale, and those that a transformed uniform or normal number gives."""

import math

import mindspore as ms
from mindspore import ops

from mindport.declare import layer
from mindport.equivalents.distributions_base import (
    UNCHECKED,
    AroundLoc,
    Distribution,
    HalfDistribution,
    normal_draw,
    tensors_of,
    uniform_draw,
)
from mindport.equivalents.exact_numbers import exact
from mindport.equivalents.exponential import erfinv

EULER = 0.5772156649015329
HALF_LOG_2PI = 0.5 * math.log(2 * math.pi)


class LocationScale(AroundLoc):
    """A distribution with the parameters loc and scale, and differentiable samples loc + scale * standard."""

    has_rsample = True
    parameter_names = ("loc", "scale")

    def __init__(self, loc, scale, validate_args=None):
        self.loc, self.scale = tensors_of(loc, scale)
        super().__init__(self.loc.shape)

    def standard(self, value):
        """How many scales the value lies from loc."""
        return (value - self.loc) / self.scale


@layer("torch.distributions.Normal", drops=UNCHECKED)
class Normal(LocationScale):
    """The normal distribution with mean `loc` and standard deviation `scale`."""

    def __init__(self, loc, scale, validate_args=None):
        super().__init__(loc, scale)

    @property
    def stddev(self):
        """scale."""
        return self.scale

    @property
    def variance(self):
        """scale squared."""
        return ops.square(self.scale)

    def rsample(self, sample_shape=()):
        """loc plus scale times standard normal numbers."""
        return self.loc + normal_draw(self._extended_shape(sample_shape), self.loc.dtype) * self.scale

    def log_prob(self, value):
        """The logarithm of the density."""
        return -0.5 * ops.square(self.standard(value)) - ops.log(self.scale) - exact(HALF_LOG_2PI, self.scale)

    def cdf(self, value):
        """By the error function."""
        return 0.5 * (1 + ops.erf(self.standard(value) / exact(math.sqrt(2), self.scale)))

    def icdf(self, value):
        """By the inverse error function."""
        return self.loc + self.scale * erfinv(2 * value - 1) * exact(math.sqrt(2), self.scale)

    def entropy(self):
        """0.5 + 0.5 log(2 pi) + log(scale)."""
        return exact(0.5 + HALF_LOG_2PI, self.scale) + ops.log(self.scale)


@layer("torch.distributions.LogNormal", drops=UNCHECKED)
class LogNormal(LocationScale):
    """e to the power of a normal variable with mean `loc` and standard deviation `scale`."""

    def __init__(self, loc, scale, validate_args=None):
        super().__init__(loc, scale)

    @property
    def mean(self):
        """exp(loc + scale² / 2)."""
        return ops.exp(self.loc + ops.square(self.scale) / 2)

    @property
    def mode(self):
        """exp(loc - scale²)."""
        return ops.exp(self.loc - ops.square(self.scale))

    @property
    def variance(self):
        """(exp(scale²) - 1) exp(2 loc + scale²)."""
        squared = ops.square(self.scale)
        return (ops.exp(squared) - 1) * ops.exp(2 * self.loc + squared)

    def rsample(self, sample_shape=()):
        """Transformed normal samples."""
        return ops.exp(self.loc + normal_draw(self._extended_shape(sample_shape), self.loc.dtype) * self.scale)

    def log_prob(self, value):
        """The normal density of the logarithm, over the value."""
        logarithm = ops.log(value)
        return -0.5 * ops.square(self.standard(logarithm)) - ops.log(self.scale) - exact(HALF_LOG_2PI, self.scale) - logarithm

    def cdf(self, value):
        """The normal distribution's of the logarithm."""
        return 0.5 * (1 + ops.erf(self.standard(ops.log(value)) / exact(math.sqrt(2), self.scale)))

    def icdf(self, value):
        """e to the power of the normal distribution's."""
        return ops.exp(self.loc + self.scale * erfinv(2 * value - 1) * exact(math.sqrt(2), self.scale))

    def entropy(self):
        """The normal distribution's plus loc."""
        return exact(0.5 + HALF_LOG_2PI, self.scale) + ops.log(self.scale) + self.loc


@layer("torch.distributions.Laplace", drops=UNCHECKED)
class Laplace(LocationScale):
    """The double exponential distribution."""

    def __init__(self, loc, scale, validate_args=None):
        super().__init__(loc, scale)

    @property
    def variance(self):
        """2 scale²."""
        return 2 * ops.square(self.scale)

    @property
    def stddev(self):
        """sqrt(2) scale."""
        return exact(math.sqrt(2), self.scale) * self.scale

    def rsample(self, sample_shape=()):
        """By the inverse of the distribution function."""
        u = uniform_draw(self._extended_shape(sample_shape), self.loc.dtype) - 0.5
        return self.loc - self.scale * ops.sign(u) * ops.log1p(-2 * ops.abs(u))

    def log_prob(self, value):
        """-log(2 scale) - |standard|."""
        return -ops.log(2 * self.scale) - ops.abs(self.standard(value))

    def cdf(self, value):
        """The distribution function."""
        z = self.standard(value)
        return 0.5 - 0.5 * ops.sign(z) * (ops.exp(-ops.abs(z)) - 1)

    def icdf(self, value):
        """Its inverse."""
        term = value - 0.5
        return self.loc - self.scale * ops.sign(term) * ops.log1p(-2 * ops.abs(term))

    def entropy(self):
        """1 + log(2 scale)."""
        return 1 + ops.log(2 * self.scale)


@layer("torch.distributions.Cauchy", drops=UNCHECKED)
class Cauchy(LocationScale):
    """The Cauchy distribution; its mean is NaN, its variance infinite."""

    def __init__(self, loc, scale, validate_args=None):
        super().__init__(loc, scale)

    @property
    def mean(self):
        """NaN."""
        return ops.full_like(self.loc, float("nan"))

    @property
    def variance(self):
        """Infinite."""
        return ops.full_like(self.loc, float("inf"))

    def rsample(self, sample_shape=()):
        """By the tangent of a uniform angle."""
        u = uniform_draw(self._extended_shape(sample_shape), self.loc.dtype)
        return self.loc + self.scale * ops.tan(exact(math.pi, u) * (u - 0.5))

    def log_prob(self, value):
        """The logarithm of the density."""
        return exact(-math.log(math.pi), self.scale) - ops.log(self.scale) - ops.log1p(ops.square(self.standard(value)))

    def cdf(self, value):
        """By the arc tangent."""
        return ops.atan(self.standard(value)) / exact(math.pi, self.scale) + 0.5

    def icdf(self, value):
        """By the tangent."""
        return ops.tan(exact(math.pi, value) * (value - 0.5)) * self.scale + self.loc

    def entropy(self):
        """log(4 pi scale)."""
        return exact(math.log(4 * math.pi), self.scale) + ops.log(self.scale)


@layer("torch.distributions.Gumbel", drops=UNCHECKED)
class Gumbel(LocationScale):
    """The Gumbel distribution of maxima."""

    def __init__(self, loc, scale, validate_args=None):
        super().__init__(loc, scale)

    @property
    def mean(self):
        """loc plus Euler's constant times scale."""
        return self.loc + self.scale * exact(EULER, self.scale)

    @property
    def stddev(self):
        """pi scale / sqrt(6)."""
        return exact(math.pi / math.sqrt(6), self.scale) * self.scale

    @property
    def variance(self):
        """The standard deviation squared."""
        return ops.square(self.stddev)

    def rsample(self, sample_shape=()):
        """-log(-log(uniform))."""
        u = uniform_draw(self._extended_shape(sample_shape), self.loc.dtype)
        return self.loc - self.scale * ops.log(-ops.log(u))

    def log_prob(self, value):
        """The logarithm of the density."""
        y = -self.standard(value)
        return y - ops.exp(y) - ops.log(self.scale)

    def cdf(self, value):
        """exp(-exp(-standard))."""
        return ops.exp(-ops.exp(-self.standard(value)))

    def icdf(self, value):
        """Its inverse."""
        return self.loc - self.scale * ops.log(-ops.log(value))

    def entropy(self):
        """log(scale) + 1 + Euler's constant."""
        return ops.log(self.scale) + exact(1 + EULER, self.scale)


@layer("torch.distributions.Uniform", drops=UNCHECKED)
class Uniform(Distribution):
    """Numbers from `low` to `high`, all alike."""

    has_rsample = True
    parameter_names = ("low", "high")

    def __init__(self, low, high, validate_args=None):
        self.low, self.high = tensors_of(low, high)
        super().__init__(self.low.shape)

    @property
    def mean(self):
        """The middle."""
        return (self.high + self.low) / 2

    @property
    def mode(self):
        """NaN: no value is likelier than others."""
        return ops.full_like(self.high, float("nan"))

    @property
    def variance(self):
        """The width squared over 12."""
        return ops.square(self.high - self.low) / 12

    def rsample(self, sample_shape=()):
        """low plus the width times uniform numbers."""
        return self.low + uniform_draw(self._extended_shape(sample_shape), self.low.dtype) * (self.high - self.low)

    def log_prob(self, value):
        """-log(width) inside, -inf outside."""
        inside = ops.logical_and(value >= self.low, value < self.high)
        return ops.where(inside, -ops.log(self.high - self.low), ms.Tensor(float("-inf"), self.low.dtype))

    def cdf(self, value):
        """The share of the width below the value."""
        return ops.clamp((value - self.low) / (self.high - self.low), 0, 1)

    def icdf(self, value):
        """Its inverse."""
        return value * (self.high - self.low) + self.low

    def entropy(self):
        """log(width)."""
        return ops.log(self.high - self.low)


@layer("torch.distributions.Exponential", drops=UNCHECKED)
class Exponential(Distribution):
    """Waiting times at a rate."""

    has_rsample = True
    parameter_names = ("rate",)

    def __init__(self, rate, validate_args=None):
        (self.rate,) = tensors_of(rate)
        super().__init__(self.rate.shape)

    @property
    def mean(self):
        """1 / rate."""
        return 1 / self.rate

    @property
    def mode(self):
        """0."""
        return ops.zeros_like(self.rate)

    @property
    def stddev(self):
        """1 / rate."""
        return 1 / self.rate

    @property
    def variance(self):
        """1 / rate²."""
        return 1 / ops.square(self.rate)

    def rsample(self, sample_shape=()):
        """-log(1 - uniform) / rate."""
        return -ops.log1p(-uniform_draw(self._extended_shape(sample_shape), self.rate.dtype)) / self.rate

    def log_prob(self, value):
        """log(rate) - rate value."""
        return ops.log(self.rate) - self.rate * value

    def cdf(self, value):
        """1 - exp(-rate value)."""
        return 1 - ops.exp(-self.rate * value)

    def icdf(self, value):
        """Its inverse."""
        return -ops.log1p(-value) / self.rate

    def entropy(self):
        """1 - log(rate)."""
        return 1 - ops.log(self.rate)


@layer("torch.distributions.HalfNormal", drops=UNCHECKED)
class HalfNormal(HalfDistribution):
    """The absolute value of a normal variable with mean 0."""

    def __init__(self, scale, validate_args=None):
        super().__init__(scale)

    @property
    def mean(self):
        """scale sqrt(2 / pi)."""
        return self.scale * exact(math.sqrt(2 / math.pi), self.scale)

    @property
    def variance(self):
        """scale² (1 - 2 / pi)."""
        return ops.square(self.scale) * exact(1 - 2 / math.pi, self.scale)

    def rsample(self, sample_shape=()):
        """Absolute values of normal samples."""
        return ops.abs(normal_draw(self._extended_shape(sample_shape), self.scale.dtype) * self.scale)

    def log_prob(self, value):
        """Twice the normal density; -inf below 0."""
        density = exact(math.log(2), self.scale) - 0.5 * ops.square(value / self.scale) - ops.log(self.scale) - exact(HALF_LOG_2PI, self.scale)
        return ops.where(value >= 0, density, ms.Tensor(float("-inf"), self.scale.dtype))

    def cdf(self, value):
        """By the error function."""
        return ops.erf(value / (self.scale * exact(math.sqrt(2), self.scale)))

    def icdf(self, value):
        """Its inverse."""
        return self.scale * exact(math.sqrt(2), self.scale) * erfinv(value)

    def entropy(self):
        """The normal distribution's less log 2."""
        return exact(0.5 + HALF_LOG_2PI - math.log(2), self.scale) + ops.log(self.scale)
