"""Kumaraswamy's distribution and the continuous Bernoulli distribution, both on values between 0 and 1.

https://docs.pytorch.org/docs/2.13/distributions.html
"""

import math

from mindspore import ops

from mindport.declare import layer
from mindport.equivalents.distributions_base import UNCHECKED, Distribution, tensors_of, uniform_draw
from mindport.equivalents.distributions_continuous import EULER
from mindport.equivalents.distributions_discrete import BinaryParameters, clamped, softplus
from mindport.equivalents.exponential import digamma, lgamma


@layer("torch.distributions.Kumaraswamy", drops=UNCHECKED)
class Kumaraswamy(Distribution):
    """1 - (1 - x^a)^b is the distribution function, with a = `concentration1` and b = `concentration0`."""

    has_rsample = True
    parameter_names = ("concentration1", "concentration0")

    def __init__(self, concentration1, concentration0, validate_args=None):
        self.concentration1, self.concentration0 = tensors_of(concentration1, concentration0)
        super().__init__(self.concentration1.shape)

    def _moment(self, order):
        a, b = self.concentration1, self.concentration0
        return b * ops.exp(lgamma(1 + order / a) + lgamma(b) - lgamma(1 + order / a + b))

    @property
    def mean(self):
        """b B(1 + 1 / a, b)."""
        return self._moment(1)

    @property
    def mode(self):
        """NaN: torch takes the logarithm of 1 - b, which has none from b = 1 on, and gives NaN below."""
        return ops.full_like(self.concentration1, math.nan)

    @property
    def variance(self):
        """The second moment less the square of the mean."""
        return self._moment(2) - ops.square(self.mean)

    def rsample(self, sample_shape=()):
        """The inverse distribution function of uniform samples."""
        return self.icdf(uniform_draw(self._extended_shape(sample_shape), self.concentration1.dtype))

    def log_prob(self, value):
        """The logarithm of the density."""
        a, b = self.concentration1, self.concentration0
        return ops.log(a) + ops.log(b) + (a - 1) * ops.log(value) + (b - 1) * ops.log1p(-ops.pow(value, a))

    def cdf(self, value):
        """1 - (1 - x^a)^b."""
        return 1 - ops.pow(1 - ops.pow(value, self.concentration1), self.concentration0)

    def icdf(self, value):
        """Its inverse."""
        return ops.pow(1 - ops.pow(1 - value, 1 / self.concentration0), 1 / self.concentration1)

    def entropy(self):
        """The entropy in nats."""
        a, b = self.concentration1, self.concentration0
        return 1 - 1 / b + (1 - 1 / a) * (digamma(b + 1) + EULER) - ops.log(a) - ops.log(b)


@layer("torch.distributions.ContinuousBernoulli", drops=UNCHECKED)
class ContinuousBernoulli(BinaryParameters):
    """Densities proportional to p^x (1 - p)^(1 - x). Between `lims`, where the formulas cancel, series stand in for them.

    Loaiza-Ganem and Cunningham, The continuous Bernoulli, NeurIPS 2019, arXiv:1907.06845.
    """

    has_rsample = True

    def __init__(self, probs=None, logits=None, lims=(0.499, 0.501), validate_args=None):
        self._set(probs, logits)
        self.probs, self._lims = clamped(self.probs), lims
        super().__init__(self.probs.shape)

    def expand(self, batch_shape, _instance=None):
        """The same with another batch shape."""
        return type(self)(**self._wide(batch_shape), lims=self._lims)

    def _is_far(self):
        return ops.logical_or(self.probs <= self._lims[0], self.probs > self._lims[1])

    def _cut(self):
        return ops.where(self._is_far(), self.probs, ops.full_like(self.probs, self._lims[0]))

    def _log_norm(self):
        p = self._cut()
        is_low = p <= 0.5
        low, high = ops.where(is_low, p, ops.zeros_like(p)), ops.where(p >= 0.5, p, ops.ones_like(p))
        ends = ops.where(is_low, ops.log1p(-2 * low), ops.log(2 * high - 1))
        far = ops.log(ops.abs(ops.log1p(-p) - ops.log(p))) - ends
        x = ops.square(self.probs - 0.5)
        return ops.where(self._is_far(), far, math.log(2) + (4 / 3 + 104 / 45 * x) * x)

    @property
    def mean(self):
        """p / (2 p - 1) + 1 / (log(1 - p) - log(p))."""
        p, x = self._cut(), self.probs - 0.5
        far = p / (2 * p - 1) + 1 / (ops.log1p(-p) - ops.log(p))
        return ops.where(self._is_far(), far, 0.5 + (1 / 3 + 16 / 45 * ops.square(x)) * x)

    @property
    def variance(self):
        """p (p - 1) / (1 - 2 p)² + 1 / (log(1 - p) - log(p))²."""
        p, x = self._cut(), ops.square(self.probs - 0.5)
        far = p * (p - 1) / ops.square(1 - 2 * p) + 1 / ops.square(ops.log1p(-p) - ops.log(p))
        return ops.where(self._is_far(), far, 1 / 12 - (1 / 15 - 128 / 945 * x) * x)

    def rsample(self, sample_shape=()):
        """The inverse distribution function of uniform samples."""
        return self.icdf(uniform_draw(self._extended_shape(sample_shape), self.probs.dtype))

    def log_prob(self, value):
        """The logarithm of the density."""
        return value * self.logits - softplus(self.logits) + self._log_norm()

    def cdf(self, value):
        """0 up to 0, 1 from 1 on."""
        p = self._cut()
        far = (ops.pow(p, value) * ops.pow(1 - p, 1 - value) + p - 1) / (2 * p - 1)
        inside = ops.where(self._is_far(), far, value)
        return ops.where(value <= 0, ops.zeros_like(inside), ops.where(value >= 1, ops.ones_like(inside), inside))

    def icdf(self, value):
        """The inverse of the distribution function."""
        p = self._cut()
        far = (ops.log1p(-p + value * (2 * p - 1)) - ops.log1p(-p)) / (ops.log(p) - ops.log1p(-p))
        return ops.where(self._is_far(), far, value)

    def entropy(self):
        """The entropy in nats."""
        none, one = ops.log1p(-self.probs), ops.log(self.probs)
        return self.mean * (none - one) - self._log_norm() - none
