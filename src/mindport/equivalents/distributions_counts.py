"""Negative binomial and multinomial distributions. https://docs.pytorch.org/docs/2.13/distributions.html"""

from mindspore import ops

from mindport.declare import layer
from mindport.equivalents.distributions_base import UNCHECKED, gamma_draw
from mindport.equivalents.distributions_discrete import (
    Binomial,
    CountedParameters,
    OverCategories,
    Poisson,
    softplus,
)
from mindport.equivalents.exponential import lgamma


@layer("torch.distributions.NegativeBinomial", drops=UNCHECKED)
class NegativeBinomial(CountedParameters):
    """The number of successes before `total_count` failures, each trial a success with probability `probs`."""

    def __init__(self, total_count, probs=None, logits=None, validate_args=None):
        super().__init__(total_count, probs, logits)

    @property
    def mean(self):
        """total_count probs / (1 - probs)."""
        return self.total_count * ops.exp(self.logits)

    @property
    def mode(self):
        """The floor of (total_count - 1) probs / (1 - probs), 0 at least."""
        return ops.clamp(ops.floor((self.total_count - 1) * ops.exp(self.logits)), 0)

    @property
    def variance(self):
        """The mean over 1 - probs."""
        return self.mean / ops.sigmoid(-self.logits)

    def sample(self, sample_shape=()):
        """Poisson samples whose rates are gamma samples."""
        rate = gamma_draw(sample_shape, self.total_count) * ops.exp(self.logits)
        return ops.stop_gradient(Poisson(rate).sample())

    def log_prob(self, value):
        """The logarithm of the probability."""
        n = self.total_count
        shared = -n * softplus(self.logits) - value * softplus(-self.logits)
        counted = lgamma(1 + value) + lgamma(n) - lgamma(n + value)
        return shared - ops.where(n + value == 0, ops.zeros_like(counted), counted)


@layer("torch.distributions.Multinomial", drops=UNCHECKED)
class Multinomial(OverCategories):
    """How often each category comes in `total_count` (an int) trials."""

    def __init__(self, total_count=1, probs=None, logits=None, validate_args=None):
        if not isinstance(total_count, int):
            raise NotImplementedError("inhomogeneous total_count is not supported")
        self.total_count = total_count
        super().__init__(probs, logits)

    def expand(self, batch_shape, _instance=None):
        """The same with another batch shape."""
        return type(self)(self.total_count, **self._wide(batch_shape))

    @property
    def mean(self):
        """total_count probs."""
        return self.total_count * self.probs

    @property
    def variance(self):
        """total_count probs (1 - probs)."""
        return self.total_count * self.probs * (1 - self.probs)

    def sample(self, sample_shape=()):
        """Categories of all trials, counted: time and memory grow with total_count."""
        drawn = self._categorical.sample((self.total_count, *sample_shape))
        rows = drawn.expand_dims(-1) == ops.arange(self.event_shape[0])
        return ops.stop_gradient(ops.sum(rows.astype(self.probs.dtype), 0))

    def log_prob(self, value):
        """The logarithm of the multinomial probability; categories of probability 0 that never came count nothing."""
        shape = (self.logits + value).shape
        logits = ops.broadcast_to(self.logits, shape)
        unseen = ops.logical_and(value == 0, ops.isinf(logits))
        logits = ops.where(unseen, ops.zeros_like(logits), logits)
        return lgamma(ops.sum(value, -1) + 1) - ops.sum(lgamma(value + 1), -1) + ops.sum(logits * value, -1)

    def entropy(self):
        """The entropy in nats, summed over all numbers of successes of each category."""
        n = self.total_count
        whole = n * self._categorical.entropy() - lgamma(ops.full((), n + 1.0, dtype=self.probs.dtype))
        binomial = Binomial(n, probs=self.probs)
        support = binomial.enumerate_support(False)[1:]
        counted = ops.exp(binomial.log_prob(support)) * lgamma(support + 1)
        return whole + ops.sum(counted, (0, -1))
