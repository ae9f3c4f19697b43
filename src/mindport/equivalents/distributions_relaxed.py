"""Relaxed Bernoulli and categorical variables, whose samples are differentiable in the parameters.

Maddison et al., The Concrete Distribution, arXiv:1611.00712. https://docs.pytorch.org/docs/2.13/distributions.html
"""

import math

from mindspore import ops

from mindport.declare import layer
from mindport.equivalents.distributions_base import UNCHECKED, Distribution, uniform_draw
from mindport.equivalents.distributions_discrete import BinaryParameters, Categorical, clamped
from mindport.equivalents.distributions_transformed import TransformedDistribution
from mindport.equivalents.distributions_transforms import ExpTransform, SigmoidTransform


@layer("torch.distributions.relaxed_bernoulli.LogitRelaxedBernoulli", drops=UNCHECKED)
class LogitRelaxedBernoulli(BinaryParameters):
    """The log-odds of a relaxed Bernoulli variable."""

    has_rsample = True

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        self.temperature = temperature
        self._set(probs, logits)
        if probs is not None:
            self.probs = clamped(self.probs)
        super().__init__(self.probs.shape)

    def expand(self, batch_shape, _instance=None):
        """The same with another batch shape."""
        name = self.parameter_names[0]
        return type(self)(self.temperature, **{name: ops.broadcast_to(getattr(self, name), tuple(batch_shape))})

    def rsample(self, sample_shape=()):
        """Logistic noise on the log-odds, over the temperature."""
        shape = self._extended_shape(sample_shape)
        p, drawn = clamped(ops.broadcast_to(self.probs, shape)), clamped(uniform_draw(shape, self.probs.dtype))
        return (ops.log(drawn) - ops.log1p(-drawn) + ops.log(p) - ops.log1p(-p)) / self.temperature

    def log_prob(self, value):
        """The logarithm of the density."""
        apart = self.logits - value * self.temperature
        return ops.log(self.temperature) + apart - 2 * ops.log1p(ops.exp(apart))


@layer("torch.distributions.RelaxedBernoulli", drops=UNCHECKED)
class RelaxedBernoulli(TransformedDistribution):
    """A number between 0 and 1 in the place of 0 or 1, the nearer to them the lower `temperature` (a tensor) is."""

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        super().__init__(LogitRelaxedBernoulli(temperature, probs, logits), SigmoidTransform())

    def expand(self, batch_shape, _instance=None):
        """The same with another batch shape."""
        base = self.base_dist.expand(batch_shape)
        name = base.parameter_names[0]
        return RelaxedBernoulli(base.temperature, **{name: getattr(base, name)})

    @property
    def temperature(self):
        """How far samples are from 0 and 1."""
        return self.base_dist.temperature

    @property
    def logits(self):
        """The log-odds of 1."""
        return self.base_dist.logits

    @property
    def probs(self):
        """The probability of 1."""
        return self.base_dist.probs


@layer("torch.distributions.relaxed_categorical.ExpRelaxedCategorical", drops=UNCHECKED)
class ExpRelaxedCategorical(Distribution):
    """The logarithm of a relaxed one-hot row."""

    has_rsample = True

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        self._categorical = Categorical(probs, logits)
        self.temperature = temperature
        self.probs, self.logits = self._categorical.probs, self._categorical.logits
        super().__init__(self._categorical.batch_shape, self.probs.shape[-1:])

    def expand(self, batch_shape, _instance=None):
        """The same with another batch shape."""
        wide = self._categorical.expand(batch_shape)
        name = wide.parameter_names[0]
        return type(self)(self.temperature, **{name: getattr(wide, name)})

    def rsample(self, sample_shape=()):
        """Gumbel noise on the logits, over the temperature, normalised."""
        drawn = clamped(uniform_draw(self._extended_shape(sample_shape), self.logits.dtype))
        scores = (self.logits - ops.log(-ops.log(drawn))) / self.temperature
        return scores - ops.logsumexp(scores, -1, True)

    def log_prob(self, value):
        """The logarithm of the density."""
        kinds = self.event_shape[0]
        score = self.logits - value * self.temperature
        score = ops.sum(score - ops.logsumexp(score, -1, True), -1)
        return score + math.lgamma(kinds) + (kinds - 1) * ops.log(self.temperature)


@layer("torch.distributions.RelaxedOneHotCategorical", drops=UNCHECKED)
class RelaxedOneHotCategorical(TransformedDistribution):
    """Shares in the place of a row with a single 1, the nearer to it the lower `temperature` (a tensor) is."""

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        super().__init__(ExpRelaxedCategorical(temperature, probs, logits), ExpTransform())

    def expand(self, batch_shape, _instance=None):
        """The same with another batch shape."""
        wide = self.base_dist._categorical.expand(batch_shape)
        name = wide.parameter_names[0]
        return RelaxedOneHotCategorical(self.temperature, **{name: getattr(wide, name)})

    @property
    def temperature(self):
        """How far samples are from rows with a single 1."""
        return self.base_dist.temperature

    @property
    def logits(self):
        """The normalised logarithms of the probabilities."""
        return self.base_dist.logits

    @property
    def probs(self):
        """The probabilities of the categories."""
        return self.base_dist.probs
