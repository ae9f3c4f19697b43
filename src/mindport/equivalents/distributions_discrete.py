"""Distributions over numbers that count and over categories, given by probabilities or logits."""

import mindspore as ms
from mindspore import ops

from mindport.declare import layer
from mindport.equivalents.distributions_base import (
    UNCHECKED,
    Distribution,
    tensors_of,
    uniform_draw,
)
from mindport.equivalents.exponential import lgamma
from mindport.equivalents.near_zero import softplus_of
from mindport.equivalents.softmax import softmax_over

#: Probabilities are kept this far from 0 and 1 before their logarithm is taken, as torch does.
EPSILON = {ms.float64: 2.220446049250313e-16, ms.float32: 1.1920928955078125e-07, ms.float16: 0.0009765625, ms.bfloat16: 0.0078125}


def one_of(first, second):
    """Raise ValueError unless exactly one of two arguments is given."""
    if (first is None) == (second is None):
        raise ValueError("give probs or logits, one of the two")


def clamped(probs):
    """Probabilities without 0 and 1. Not `ops.clamp`: its bounds are float32 numbers, and 1 - eps of float64 is 1 among these."""
    eps = EPSILON[probs.dtype]
    return ops.maximum(ops.minimum(probs, ms.Tensor(1 - eps, probs.dtype)), ms.Tensor(eps, probs.dtype))


def softplus(x):
    """log(1 + exp(x)), for any x."""
    return softplus_of(x)


class BinaryParameters(Distribution):
    """A distribution over what one event does, with probability `probs` or log-odds `logits`."""

    def _set(self, probs, logits):
        one_of(probs, logits)
        if probs is not None:
            (self.probs,) = tensors_of(probs)
            p = clamped(self.probs)
            self.logits = ops.log(p) - ops.log1p(-p)
        else:
            (self.logits,) = tensors_of(logits)
            self.probs = ops.sigmoid(self.logits)
        self.parameter_names = ("probs",) if probs is not None else ("logits",)

    def expand(self, batch_shape, _instance=None):
        """The same with another batch shape."""
        return type(self)(**self._wide(batch_shape))

    def _wide(self, batch_shape):
        """The parameter that was given, by its name, in another batch shape."""
        name = self.parameter_names[0]
        return {name: ops.broadcast_to(getattr(self, name), tuple(batch_shape))}


@layer("torch.distributions.Bernoulli", drops=UNCHECKED)
class Bernoulli(BinaryParameters):
    """1 with probability `probs`, else 0."""

    has_enumerate_support = True

    def __init__(self, probs=None, logits=None, validate_args=None):
        self._set(probs, logits)
        super().__init__(self.probs.shape)

    @property
    def mean(self):
        """probs."""
        return self.probs

    @property
    def mode(self):
        """1 where that is likelier, NaN at a half."""
        mode = (self.probs >= 0.5).astype(self.probs.dtype)
        return ops.where(self.probs == 0.5, ms.Tensor(float("nan"), self.probs.dtype), mode)

    @property
    def variance(self):
        """probs (1 - probs)."""
        return self.probs * (1 - self.probs)

    def sample(self, sample_shape=()):
        """1 where a uniform number is below probs."""
        drawn = uniform_draw(self._extended_shape(sample_shape), self.probs.dtype)
        return ops.stop_gradient((drawn < self.probs).astype(self.probs.dtype))

    def log_prob(self, value):
        """Less the binary cross entropy."""
        return value * self.logits - softplus(self.logits)

    def entropy(self):
        """The entropy in nats."""
        return softplus(self.logits) - self.probs * self.logits

    def enumerate_support(self, expand=True):
        """0 and 1, along a new first axis."""
        values = ops.arange(2).astype(self.probs.dtype).reshape((2,) + (1,) * len(self.batch_shape))
        return ops.broadcast_to(values, (2,) + self.batch_shape) if expand else values


@layer("torch.distributions.Geometric", drops=UNCHECKED)
class Geometric(BinaryParameters):
    """The number of failures before the first success."""

    def __init__(self, probs=None, logits=None, validate_args=None):
        self._set(probs, logits)
        super().__init__(self.probs.shape)

    @property
    def mean(self):
        """1 / probs - 1."""
        return 1 / self.probs - 1

    @property
    def mode(self):
        """0."""
        return ops.zeros_like(self.probs)

    @property
    def variance(self):
        """(1 / probs - 1) / probs."""
        return (1 / self.probs - 1) / self.probs

    def sample(self, sample_shape=()):
        """The floor of log(uniform) over log(1 - probs)."""
        drawn = uniform_draw(self._extended_shape(sample_shape), self.probs.dtype)
        return ops.stop_gradient(ops.floor(ops.log(drawn) / ops.log1p(-self.probs)))

    def log_prob(self, value):
        """value log(1 - probs) + log(probs)."""
        return ops.xlogy(value, 1 - self.probs) + ops.log(self.probs)

    def entropy(self):
        """The entropy of one trial over probs."""
        return (softplus(self.logits) - self.probs * self.logits) / self.probs


@layer("torch.distributions.Categorical", drops=UNCHECKED)
class Categorical(Distribution):
    """Category numbers; `probs` (normalised here) or `logits` have the categories in the last axis. Samples are int64."""

    has_enumerate_support = True

    def __init__(self, probs=None, logits=None, validate_args=None):
        one_of(probs, logits)
        given = probs if probs is not None else logits
        if given.ndim < 1:
            raise ValueError("probabilities have at least one axis")
        if probs is not None:
            self.probs = probs / ops.sum(probs, -1, True)
            self.logits = ops.log(clamped(self.probs))
        else:
            self.logits = logits - ops.logsumexp(logits, -1, True)
            self.probs = softmax_over(self.logits, -1)
        self.parameter_names = ("probs",) if probs is not None else ("logits",)
        self._num_events = given.shape[-1]
        super().__init__(given.shape[:-1])

    def expand(self, batch_shape, _instance=None):
        """The same with another batch shape."""
        name = self.parameter_names[0]
        return type(self)(**{name: ops.broadcast_to(getattr(self, name), tuple(batch_shape) + (self._num_events,))})

    @property
    def param_shape(self):
        """The shape of probs."""
        return self.probs.shape

    @property
    def mean(self):
        """NaN: numbers of categories have no mean."""
        return ops.full(self.batch_shape, float("nan"), dtype=self.probs.dtype)

    @property
    def mode(self):
        """The likeliest category."""
        return ops.argmax(self.probs, -1).astype(ms.int64)

    @property
    def variance(self):
        """NaN."""
        return ops.full(self.batch_shape, float("nan"), dtype=self.probs.dtype)

    def sample(self, sample_shape=()):
        """How many of the cumulated probabilities a uniform number exceeds."""
        drawn = uniform_draw(self._extended_shape(sample_shape), ms.float32)
        steps = ops.cumsum(self.probs.astype(ms.float32), -1)[..., :-1]
        return ops.stop_gradient(ops.sum((drawn.expand_dims(-1) >= steps).astype(ms.int32), -1).astype(ms.int64))

    def log_prob(self, value):
        """The logit of the category."""
        value = value.astype(ms.int64)
        shape = value.shape if len(value.shape) >= len(self.batch_shape) else self.batch_shape
        if len(value.shape) == len(self.batch_shape):
            shape = tuple(max(a, b) for a, b in zip(value.shape, self.batch_shape))
        index = ops.broadcast_to(value, shape).expand_dims(-1)
        logits = ops.broadcast_to(self.logits, shape + (self._num_events,))
        return ops.gather_elements(logits, len(shape), index).squeeze(-1)

    def entropy(self):
        """-sum(probs logits)."""
        lowest = -3.4028234663852886e38 if self.logits.dtype != ms.float64 else -1.7976931348623157e308
        return -ops.sum(ops.clamp(self.logits, lowest) * self.probs, -1)

    def enumerate_support(self, expand=True):
        """The categories along a new first axis."""
        values = ops.arange(self._num_events).astype(ms.int64).reshape((self._num_events,) + (1,) * len(self.batch_shape))
        return ops.broadcast_to(values, (self._num_events,) + self.batch_shape) if expand else values


class OverCategories(Distribution):
    """A distribution of one value for each category of a `Categorical`."""

    def __init__(self, probs, logits):
        self._categorical = Categorical(probs, logits)
        self.probs, self.logits = self._categorical.probs, self._categorical.logits
        self.parameter_names = self._categorical.parameter_names
        super().__init__(self._categorical.batch_shape, self.probs.shape[-1:])

    def _wide(self, batch_shape):
        """The parameter that was given, by its name, in another batch shape."""
        name = self.parameter_names[0]
        return {name: ops.broadcast_to(getattr(self, name), tuple(batch_shape) + self.event_shape)}


@layer("torch.distributions.OneHotCategorical", drops=UNCHECKED)
class OneHotCategorical(OverCategories):
    """Categories as rows with a single 1."""

    has_enumerate_support = True

    def __init__(self, probs=None, logits=None, validate_args=None):
        super().__init__(probs, logits)

    def expand(self, batch_shape, _instance=None):
        """The same with another batch shape."""
        return type(self)(**self._wide(batch_shape))

    def _rows(self, index):
        return (index.expand_dims(-1) == ops.arange(self.event_shape[0])).astype(self.probs.dtype)

    @property
    def mean(self):
        """probs."""
        return self.probs

    @property
    def mode(self):
        """The likeliest category's row."""
        return self._rows(self._categorical.mode)

    @property
    def variance(self):
        """probs (1 - probs)."""
        return self.probs * (1 - self.probs)

    def sample(self, sample_shape=()):
        """Rows of sampled categories."""
        return ops.stop_gradient(self._rows(self._categorical.sample(sample_shape)))

    def log_prob(self, value):
        """The logit of the category that the row names."""
        return self._categorical.log_prob(ops.argmax(value, -1))

    def entropy(self):
        """The entropy of the category."""
        return self._categorical.entropy()

    def enumerate_support(self, expand=True):
        """The rows of the unit matrix, along a new first axis."""
        size = self.event_shape[0]
        values = ops.eye(size, size, self.probs.dtype).reshape((size,) + (1,) * len(self.batch_shape) + (size,))
        return ops.broadcast_to(values, (size,) + self.batch_shape + (size,)) if expand else values


@layer("torch.distributions.OneHotCategoricalStraightThrough", drops=UNCHECKED)
class OneHotCategoricalStraightThrough(OneHotCategorical):
    """One-hot samples whose gradient is that of the probabilities."""

    has_rsample = True

    def __init__(self, probs=None, logits=None, validate_args=None):
        super().__init__(probs, logits)

    def rsample(self, sample_shape=()):
        """A sample plus what is 0 and has the gradient of probs."""
        return self.sample(sample_shape) + (self.probs - ops.stop_gradient(self.probs))


@layer("torch.distributions.Poisson", drops=UNCHECKED)
class Poisson(Distribution):
    """Counts of events at a rate."""

    parameter_names = ("rate",)

    def __init__(self, rate, validate_args=None):
        (self.rate,) = tensors_of(rate)
        super().__init__(self.rate.shape)

    @property
    def mean(self):
        """rate."""
        return self.rate

    @property
    def mode(self):
        """The floor of rate."""
        return ops.floor(self.rate)

    @property
    def variance(self):
        """rate."""
        return self.rate

    def sample(self, sample_shape=()):
        """Counts, in the dtype of rate."""
        count = 1
        for length in sample_shape:
            count *= length
        flat = ops.random_poisson(ms.Tensor([count], ms.int32), self.rate.reshape((-1,)).astype(ms.float32), dtype=ms.float32)
        return ops.stop_gradient(flat.reshape(self._extended_shape(sample_shape)).astype(self.rate.dtype))

    def log_prob(self, value):
        """value log(rate) - rate - log(value!)."""
        return ops.xlogy(value, self.rate) - self.rate - lgamma(value + 1)
