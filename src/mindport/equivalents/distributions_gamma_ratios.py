"""Inverse gamma and Fisher-Snedecor distributions, made of gamma variables.

https://docs.pytorch.org/docs/2.13/distributions.html
"""

import math

from mindspore import ops

from mindport.declare import layer
from mindport.equivalents.distributions_base import UNCHECKED, Distribution, gamma_draw, tensors_of
from mindport.equivalents.distributions_gamma_gradient import differentiable_gamma
from mindport.equivalents.distributions_tails import known_where
from mindport.equivalents.exponential import digamma, lgamma


@layer("torch.distributions.InverseGamma", drops=UNCHECKED)
class InverseGamma(Distribution):
    """1 / x of a gamma variable with `concentration` and `rate`."""

    has_rsample = True
    parameter_names = ("concentration", "rate")

    def __init__(self, concentration, rate, validate_args=None):
        self.concentration, self.rate = tensors_of(concentration, rate)
        super().__init__(self.concentration.shape)

    @property
    def mean(self):
        """rate / (concentration - 1), infinite up to 1."""
        return known_where(self.concentration > 1, self.rate / (self.concentration - 1), math.inf)

    @property
    def mode(self):
        """rate / (concentration + 1)."""
        return self.rate / (self.concentration + 1)

    @property
    def variance(self):
        """rate² / ((a - 1)² (a - 2)), infinite up to concentration a = 2."""
        a = self.concentration
        return known_where(a > 2, ops.square(self.rate) / (ops.square(a - 1) * (a - 2)), math.inf)

    def sample(self, sample_shape=()):
        """The rate over gamma samples, without a gradient."""
        return ops.stop_gradient(self.rate / gamma_draw(sample_shape, self.concentration))

    def rsample(self, sample_shape=()):
        """Differentiable in all parameters."""
        return self.rate / differentiable_gamma(sample_shape, self.concentration)

    def log_prob(self, value):
        """The logarithm of the density."""
        a, b = self.concentration, self.rate
        return ops.xlogy(a, b) - ops.xlogy(a + 1, value) - b / value - lgamma(a)

    def cdf(self, value):
        """1 less the regularised lower incomplete gamma function of rate / x."""
        shape = (value + self.concentration).shape
        return 1 - ops.igamma(ops.broadcast_to(self.concentration, shape), ops.broadcast_to(self.rate / value, shape))

    def entropy(self):
        """The entropy in nats."""
        a = self.concentration
        return a + ops.log(self.rate) + lgamma(a) - (1 + a) * digamma(a)


@layer("torch.distributions.FisherSnedecor", drops=UNCHECKED)
class FisherSnedecor(Distribution):
    """The ratio of two chi-squared variables, each over its degrees of freedom `df1` and `df2`."""

    has_rsample = True
    parameter_names = ("df1", "df2")

    def __init__(self, df1, df2, validate_args=None):
        self.df1, self.df2 = tensors_of(df1, df2)
        super().__init__(self.df1.shape)

    @property
    def mean(self):
        """df2 / (df2 - 2), NaN up to 2."""
        return known_where(self.df2 > 2, self.df2 / (self.df2 - 2), math.nan)

    @property
    def mode(self):
        """(df1 - 2) / df1 df2 / (df2 + 2), NaN up to df1 = 2."""
        return known_where(self.df1 > 2, (self.df1 - 2) / self.df1 * self.df2 / (self.df2 + 2), math.nan)

    @property
    def variance(self):
        """2 df2² (df1 + df2 - 2) / (df1 (df2 - 2)² (df2 - 4)), NaN up to df2 = 4."""
        one, two = self.df1, self.df2
        known = 2 * ops.square(two) * (one + two - 2) / (one * ops.square(two - 2) * (two - 4))
        return known_where(two > 4, known, math.nan)

    def sample(self, sample_shape=()):
        """A ratio of gamma samples, without a gradient."""
        above, below = gamma_draw(sample_shape, 0.5 * self.df1) / self.df1, gamma_draw(sample_shape, 0.5 * self.df2) / self.df2
        return ops.stop_gradient(above / below)

    def rsample(self, sample_shape=()):
        """Differentiable in all parameters."""
        above, below = differentiable_gamma(sample_shape, 0.5 * self.df1), differentiable_gamma(sample_shape, 0.5 * self.df2)
        return (above / self.df1) / (below / self.df2)

    def log_prob(self, value):
        """The logarithm of the density."""
        one, two, ratio = 0.5 * self.df1, 0.5 * self.df2, self.df1 / self.df2
        constant = lgamma(one + two) - lgamma(one) - lgamma(two)
        return constant + one * ops.log(ratio) + (one - 1) * ops.log(value) - (one + two) * ops.log1p(ratio * value)
