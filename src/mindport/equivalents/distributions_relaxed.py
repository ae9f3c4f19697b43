"""Relaxed Bernoulli and categorical variables, whose samples are differentiable in the parameters.

Maddison et al., The Concrete Distribution, arXiv:1611.00712. https://docs.pytorch.org/docs/2.13/distributions.html
"""

import math

from mindspore import ops

from mindport.declare import layer
from mindport.equivalents.distributions_base import UNCHECKED, uniform_draw
from mindport.equivalents.distributions_discrete import BinaryParameters, OverCategories, clamped
from mindport.equivalents.distributions_transformed import TransformedDistribution
from mindport.equivalents.distributions_transforms import ExpTransform, SigmoidTransform


class Relaxed(TransformedDistribution):
    """What the relaxed distributions share; the base distribution holds the temperature and the parameters."""

    def expand(self, batch_shape, _instance=None):
        """The same with another batch shape."""
        return type(self)(self.temperature, **self.base_dist._wide(batch_shape))

    @property
    def temperature(self):
        """How far samples are from those of the distribution that is relaxed."""
        return self.base_dist.temperature

    @property
    def logits(self):
        """The log-odds of 1, or the normalised logarithms of the categories' probabilities."""
        return self.base_dist.logits

    @property
    def probs(self):
        """The probability of 1, or of each category."""
        return self.base_dist.probs


@layer("torch.distributions.relaxed_bernoulli.LogitRelaxedBernoulli", drops=UNCHECKED)
class LogitRelaxedBernoulli(BinaryParameters):
    """The log-odds of a relaxed Bernoulli variable."""

    has_rsample = True

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        self.temperature = temperature
        self._set(probs, logits)
        super().__init__(self.probs.shape)

    def expand(self, batch_shape, _instance=None):
        """The same with another batch shape."""
        return type(self)(self.temperature, **self._wide(batch_shape))

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
class RelaxedBernoulli(Relaxed):
    """A number between 0 and 1 in the place of 0 or 1, the nearer to them the lower `temperature` (a tensor) is."""

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        super().__init__(LogitRelaxedBernoulli(temperature, probs, logits), SigmoidTransform())


@layer("torch.distributions.relaxed_categorical.ExpRelaxedCategorical", drops=UNCHECKED)
class ExpRelaxedCategorical(OverCategories):
    """The logarithm of a relaxed one-hot row."""

    has_rsample = True

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        self.temperature = temperature
        super().__init__(probs, logits)

    def expand(self, batch_shape, _instance=None):
        """The same with another batch shape."""
        return type(self)(self.temperature, **self._wide(batch_shape))

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
class RelaxedOneHotCategorical(Relaxed):
    """Shares in the place of a row with a single 1, the nearer to it the lower `temperature` (a tensor) is."""

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        super().__init__(ExpRelaxedCategorical(temperature, probs, logits), ExpTransform())
