"""Gamma, Chi2, Beta, Dirichlet and Student's t: distributions whose samples are made of gamma samples.

`rsample` takes the gradient in the concentrations from `distributions_gamma_gradient`, on the host; `sample` does without it.
"""

import math

import mindspore as ms
from mindspore import ops

from mindport.declare import layer
from mindport.equivalents.distributions_base import (
    UNCHECKED,
    Distribution,
    gamma_draw,
    normal_draw,
    tensors_of,
)
from mindport.equivalents.distributions_gamma_gradient import differentiable_gamma
from mindport.equivalents.exact_numbers import exact
from mindport.equivalents.exponential import digamma, lgamma


@layer("torch.distributions.Gamma", drops=UNCHECKED)
class Gamma(Distribution):
    """The gamma distribution with shape `concentration` and inverse scale `rate`."""

    has_rsample = True
    parameter_names = ("concentration", "rate")

    def __init__(self, concentration, rate, validate_args=None):
        self.concentration, self.rate = tensors_of(concentration, rate)
        super().__init__(self.concentration.shape)

    @property
    def mean(self):
        """concentration / rate."""
        return self.concentration / self.rate

    @property
    def mode(self):
        """(concentration - 1) / rate, not below 0."""
        return ops.clamp((self.concentration - 1) / self.rate, 0)

    @property
    def variance(self):
        """concentration / rate²."""
        return self.concentration / ops.square(self.rate)

    def sample(self, sample_shape=()):
        """Gamma samples over the rate, without a gradient."""
        return ops.stop_gradient(gamma_draw(sample_shape, self.concentration) / self.rate)

    def rsample(self, sample_shape=()):
        """Differentiable in all parameters."""
        return differentiable_gamma(sample_shape, self.concentration) / self.rate

    def log_prob(self, value):
        """The logarithm of the density."""
        a, b = self.concentration, self.rate
        return ops.xlogy(a, b) + ops.xlogy(a - 1, value) - b * value - lgamma(a)

    def cdf(self, value):
        """The regularised lower incomplete gamma function."""
        shape = (value + self.concentration).shape
        return ops.igamma(ops.broadcast_to(self.concentration, shape), ops.broadcast_to(self.rate * value, shape))

    def entropy(self):
        """The entropy in nats."""
        a = self.concentration
        return a - ops.log(self.rate) + lgamma(a) + (1 - a) * digamma(a)


@layer("torch.distributions.Chi2", drops=UNCHECKED)
class Chi2(Gamma):
    """The sum of `df` squares of standard normal variables."""

    parameter_names = ("df",)

    def __init__(self, df, validate_args=None):
        (wide,) = tensors_of(df)
        super().__init__(0.5 * wide, ops.full_like(wide, 0.5))

    @property
    def df(self):
        """The degrees of freedom."""
        return 2 * self.concentration


def dirichlet_mode(concentration):
    """The likeliest shares; torch takes the first corner where all concentrations are below 1."""
    less = ops.clamp(concentration - 1, 0)
    corner = (ops.arange(concentration.shape[-1]) == 0).astype(concentration.dtype)
    hollow = (concentration < 1).astype(ms.int32).sum(-1, keepdims=True) == concentration.shape[-1]
    return ops.where(hollow, corner, less / ops.sum(less, -1, True))


@layer("torch.distributions.Beta", drops=UNCHECKED)
class Beta(Distribution):
    """The beta distribution with densities x^(concentration1 - 1) (1 - x)^(concentration0 - 1)."""

    has_rsample = True
    parameter_names = ("concentration1", "concentration0")

    def __init__(self, concentration1, concentration0, validate_args=None):
        self.concentration1, self.concentration0 = tensors_of(concentration1, concentration0)
        super().__init__(self.concentration1.shape)

    @property
    def mean(self):
        """a / (a + b)."""
        return self.concentration1 / (self.concentration1 + self.concentration0)

    @property
    def variance(self):
        """a b / ((a + b)² (a + b + 1))."""
        a, b = self.concentration1, self.concentration0
        return a * b / (ops.square(a + b) * (a + b + 1))

    @property
    def mode(self):
        """The first share of the Dirichlet distribution with both concentrations."""
        return dirichlet_mode(ops.stack([self.concentration1, self.concentration0], -1))[..., 0]

    def sample(self, sample_shape=()):
        """x / (x + y) of two gamma samples."""
        x, y = gamma_draw(sample_shape, self.concentration1), gamma_draw(sample_shape, self.concentration0)
        return ops.stop_gradient(x / (x + y))

    def rsample(self, sample_shape=()):
        """Differentiable in all parameters."""
        x, y = differentiable_gamma(sample_shape, self.concentration1), differentiable_gamma(sample_shape, self.concentration0)
        return x / (x + y)

    def log_prob(self, value):
        """The logarithm of the density."""
        a, b = self.concentration1, self.concentration0
        return ops.xlogy(a - 1, value) + ops.xlogy(b - 1, 1 - value) + lgamma(a + b) - lgamma(a) - lgamma(b)

    def entropy(self):
        """The entropy in nats."""
        a, b = self.concentration1, self.concentration0
        total = a + b
        return lgamma(a) + lgamma(b) - lgamma(total) - (a - 1) * digamma(a) - (b - 1) * digamma(b) + (total - 2) * digamma(total)


@layer("torch.distributions.Dirichlet", drops=UNCHECKED)
class Dirichlet(Distribution):
    """Shares that add up to 1; `concentration` has the categories in its last axis."""

    has_rsample = True
    parameter_names = ("concentration",)

    def __init__(self, concentration, validate_args=None):
        if concentration.ndim < 1:
            raise ValueError("concentration has at least one axis")
        self.concentration = concentration
        super().__init__(concentration.shape[:-1], concentration.shape[-1:])

    def expand(self, batch_shape, _instance=None):
        """The same with another batch shape."""
        return type(self)(ops.broadcast_to(self.concentration, tuple(batch_shape) + self.event_shape))

    @property
    def mean(self):
        """The concentrations over their sum."""
        return self.concentration / ops.sum(self.concentration, -1, True)

    @property
    def variance(self):
        """mean (1 - mean) / (sum + 1)."""
        total = ops.sum(self.concentration, -1, True)
        return self.concentration * (total - self.concentration) / (ops.square(total) * (total + 1))

    @property
    def mode(self):
        """The concentrations less 1, not below 0, over their sum; the first corner where all are below 1, as in torch."""
        return dirichlet_mode(self.concentration)

    def sample(self, sample_shape=()):
        """Gamma samples over their sum."""
        drawn = gamma_draw(sample_shape, self.concentration)
        return ops.stop_gradient(drawn / ops.sum(drawn, -1, True))

    def rsample(self, sample_shape=()):
        """Differentiable in the concentrations."""
        drawn = differentiable_gamma(sample_shape, self.concentration)
        return drawn / ops.sum(drawn, -1, True)

    def log_prob(self, value):
        """The logarithm of the density."""
        a = self.concentration
        return ops.sum(ops.xlogy(a - 1, value), -1) + lgamma(ops.sum(a, -1)) - ops.sum(lgamma(a), -1)

    def entropy(self):
        """The entropy in nats."""
        a = self.concentration
        total, k = ops.sum(a, -1), a.shape[-1]
        return ops.sum(lgamma(a), -1) - lgamma(total) - (k - total) * digamma(total) - ops.sum((a - 1) * digamma(a), -1)


@layer("torch.distributions.StudentT", drops=UNCHECKED)
class StudentT(Distribution):
    """Student's t distribution."""

    has_rsample = True
    parameter_names = ("df", "loc", "scale")

    def __init__(self, df, loc=0.0, scale=1.0, validate_args=None):
        self.df, self.loc, self.scale = tensors_of(df, loc, scale)
        super().__init__(self.df.shape)

    @property
    def mean(self):
        """loc where df > 1, else NaN."""
        return ops.where(self.df > 1, self.loc, ms.Tensor(float("nan"), self.loc.dtype))

    @property
    def mode(self):
        """loc."""
        return self.loc

    @property
    def variance(self):
        """scale² df / (df - 2) where df > 2, infinite where df > 1, else NaN."""
        known = ops.square(self.scale) * self.df / ops.where(self.df > 2, self.df - 2, ops.ones_like(self.df))
        rest = ops.where(self.df > 1, ms.Tensor(float("inf"), self.df.dtype), ms.Tensor(float("nan"), self.df.dtype))
        return ops.where(self.df > 2, known, rest)

    def sample(self, sample_shape=()):
        """A normal sample over the root of a chi-squared one."""
        shape = self._extended_shape(sample_shape)
        squared = 2 * gamma_draw(sample_shape, 0.5 * self.df)
        return ops.stop_gradient(self.loc + self.scale * normal_draw(shape, self.df.dtype) * ops.rsqrt(squared / self.df))

    def rsample(self, sample_shape=()):
        """Differentiable in all parameters."""
        shape = self._extended_shape(sample_shape)
        squared = 2 * differentiable_gamma(sample_shape, 0.5 * self.df)
        return self.loc + self.scale * normal_draw(shape, self.df.dtype) * ops.rsqrt(squared / self.df)

    def log_prob(self, value):
        """The logarithm of the density."""
        y, df = (value - self.loc) / self.scale, self.df
        constant = ops.log(self.scale) + 0.5 * ops.log(df) + exact(0.5 * math.log(math.pi), self.scale) + lgamma(0.5 * df) - lgamma(0.5 * (df + 1))
        return -0.5 * (df + 1) * ops.log1p(ops.square(y) / df) - constant

    def entropy(self):
        """The entropy in nats."""
        df = self.df
        beta = lgamma(0.5 * df) + exact(math.lgamma(0.5), self.scale) - lgamma(0.5 * (df + 1))
        return ops.log(self.scale) + 0.5 * (df + 1) * (digamma(0.5 * (df + 1)) - digamma(0.5 * df)) + 0.5 * ops.log(df) + beta
