"""Distributions of counts of trials: binomial, negative binomial and multinomial. https://docs.pytorch.org/docs/2.13/distributions.html"""

from mindspore import ops

from mindport.declare import layer
from mindport.equivalents.distributions_base import UNCHECKED, gamma_draw, tensors_of, uniform_draw
from mindport.equivalents.distributions_discrete import (
    BinaryParameters,
    OverCategories,
    Poisson,
    one_of,
    softplus,
)
from mindport.equivalents.exponential import lgamma


class CountedParameters(BinaryParameters):
    """A distribution over what `total_count` trials do, a number that is broadcast with the probabilities."""

    def __init__(self, total_count, probs, logits):
        one_of(probs, logits)
        count, given = tensors_of(total_count, probs if probs is not None else logits)
        self.total_count = count.astype(given.dtype)
        self._set(given if probs is not None else None, given if probs is None else None)
        super().__init__(self.probs.shape)

    def expand(self, batch_shape, _instance=None):
        """The same with another batch shape."""
        return type(self)(ops.broadcast_to(self.total_count, tuple(batch_shape)), **self._wide(batch_shape))


@layer("torch.distributions.Binomial", drops=UNCHECKED)
class Binomial(CountedParameters):
    """The number of successes in `total_count` trials."""

    has_enumerate_support = True

    def __init__(self, total_count=1, probs=None, logits=None, validate_args=None):
        super().__init__(total_count, probs, logits)

    @property
    def mean(self):
        """total_count probs."""
        return self.total_count * self.probs

    @property
    def mode(self):
        """The floor of (total_count + 1) probs, total_count at most."""
        return ops.minimum(ops.floor((self.total_count + 1) * self.probs), self.total_count)

    @property
    def variance(self):
        """total_count probs (1 - probs)."""
        return self.total_count * self.probs * (1 - self.probs)

    def sample(self, sample_shape=()):
        """Trials, counted: time and memory grow with the largest total_count."""
        most = int(self.total_count.max().asnumpy())
        drawn = uniform_draw((most,) + self._extended_shape(sample_shape), self.probs.dtype)
        trial = ops.arange(most).reshape((most,) + (1,) * (drawn.ndim - 1))
        hits = ops.logical_and(drawn < self.probs, trial < self.total_count)
        return ops.stop_gradient(ops.sum(hits.astype(self.probs.dtype), 0))

    def log_prob(self, value):
        """The logarithm of the binomial probability."""
        n = self.total_count
        counted = lgamma(n + 1) - lgamma(value + 1) - lgamma(n - value + 1)
        return counted + value * self.logits - n * softplus(self.logits)

    def enumerate_support(self, expand=True):
        """0 to total_count, which is the same everywhere, along a new first axis."""
        most = int(self.total_count.max().asnumpy())
        if int(self.total_count.min().asnumpy()) != most:
            raise NotImplementedError("enumerate_support needs one total_count for all")
        values = ops.arange(1 + most).astype(self.probs.dtype).reshape((1 + most,) + (1,) * len(self.batch_shape))
        return ops.broadcast_to(values, (1 + most,) + self.batch_shape) if expand else values

    def entropy(self):
        """The entropy in nats, summed over all numbers of successes."""
        values = self.enumerate_support(False)
        logarithms = self.log_prob(values)
        return -ops.sum(ops.exp(logarithms) * logarithms, 0)


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
