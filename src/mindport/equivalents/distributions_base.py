"""torch.distributions' base class, and what all distributions here share.

Shapes are torch's: a sample has shape ``sample_shape + batch_shape + event_shape``, a log-probability the shape of the value without
its event axes. Arguments and values are not validated. https://docs.pytorch.org/docs/2.13/distributions.html
"""

import math

import mindspore as ms
from mindspore import ops

from mindport.declare import Refused, layer

UNCHECKED = {"validate_args": "nothing is validated: wrong parameters and values outside of the support raise nothing, their log-probability is what the formula gives"}

def tensors_of(*values):
    """Numbers and tensors as tensors of one shape, float32 where all are numbers."""
    known = [value for value in values if isinstance(value, ms.Tensor)]
    dtype = known[0].dtype if known else ms.float32
    made = [value if isinstance(value, ms.Tensor) else ms.Tensor(value, dtype) for value in values]
    shape = made[0].shape
    for value in made[1:]:
        shape = broadcast_shape(shape, value.shape)
    return [ops.broadcast_to(value, shape) if value.shape != shape else value for value in made]


def broadcast_shape(first, second):
    """The shape that both broadcast to."""
    length = max(len(first), len(second))
    first, second = (1,) * (length - len(first)) + tuple(first), (1,) * (length - len(second)) + tuple(second)
    for one, other in zip(first, second):
        if one != other and 1 not in (one, other):
            raise ValueError(f"shapes {first} and {second} do not broadcast")
    return tuple(max(one, other) if 0 not in (one, other) else 0 for one, other in zip(first, second))


def uniform_draw(shape, dtype):
    """Numbers in the open interval from 0 to 1."""
    drawn = ops.rand(*(shape or (1,)), dtype=ms.float32).reshape(shape)
    return ops.clamp(drawn, 1.1754944e-38, 1 - 5.9604645e-08).astype(dtype)


def normal_draw(shape, dtype):
    """Numbers of the standard normal distribution."""
    return ops.randn(*(shape or (1,)), dtype=ms.float32).reshape(shape).astype(dtype)


def gamma_draw(sample_shape, concentration):
    """Numbers of the gamma distribution with rate 1, of shape ``sample_shape + concentration.shape``."""
    shape = tuple(sample_shape) + tuple(concentration.shape)
    count = math.prod(sample_shape)
    flat = ops.random_gamma(ms.Tensor([count], ms.int32), concentration.reshape((-1,)).astype(ms.float32))
    return ops.clamp(ops.stop_gradient(flat.reshape(shape)), 1.1754944e-38).astype(concentration.dtype)


@layer("torch.distributions.Distribution", "torch.distributions.ExponentialFamily", drops=UNCHECKED)
class Distribution:
    """Base of all distributions. `parameter_names` are the constructor's arguments that `expand` broadcasts."""

    has_rsample = False
    has_enumerate_support = False
    parameter_names = ()

    def __init__(self, batch_shape=(), event_shape=(), validate_args=None):
        self._batch_shape = tuple(batch_shape)
        self._event_shape = tuple(event_shape)

    @property
    def batch_shape(self):
        """The shape of the parameters."""
        return self._batch_shape

    @property
    def event_shape(self):
        """The shape of one sample of one distribution."""
        return self._event_shape

    @property
    def mean(self):
        """The expected value."""
        raise NotImplementedError(f"{type(self).__name__} has no mean here")

    @property
    def mode(self):
        """The likeliest value."""
        raise NotImplementedError(f"{type(self).__name__} has no mode here")

    @property
    def variance(self):
        """The variance."""
        raise NotImplementedError(f"{type(self).__name__} has no variance here")

    @property
    def stddev(self):
        """The standard deviation."""
        return ops.sqrt(self.variance)

    def _extended_shape(self, sample_shape=()):
        return tuple(sample_shape) + self._batch_shape + self._event_shape

    def expand(self, batch_shape, _instance=None):
        """The same distribution with its parameters broadcast to another batch shape."""
        wide = [ops.broadcast_to(getattr(self, name), tuple(batch_shape)) for name in self.parameter_names]
        return type(self)(*wide)

    def sample(self, sample_shape=()):
        """Samples without a gradient."""
        return ops.stop_gradient(self.rsample(sample_shape))

    def rsample(self, sample_shape=()):
        """Samples that are differentiable in the parameters, where there are any."""
        raise Refused(f"{type(self).__name__} has no samples that are differentiable in its parameters: use sample() and log_prob()")

    def sample_n(self, n):
        """`n` samples."""
        return self.sample((n,))

    def log_prob(self, value):
        """The logarithm of the density or probability of `value`."""
        raise NotImplementedError(f"{type(self).__name__} has no log_prob here")

    def cdf(self, value):
        """The probability of values up to `value`."""
        raise NotImplementedError(f"{type(self).__name__} has no cdf")

    def icdf(self, value):
        """The value below which a share of `value` lies."""
        raise NotImplementedError(f"{type(self).__name__} has no icdf")

    def enumerate_support(self, expand=True):
        """All values of a discrete distribution."""
        raise NotImplementedError(f"{type(self).__name__} has no enumerate_support")

    def entropy(self):
        """The entropy in nats."""
        raise NotImplementedError(f"{type(self).__name__} has no entropy here")

    def perplexity(self):
        """e to the power of the entropy."""
        return ops.exp(self.entropy())

    def __repr__(self):
        shown = ", ".join(f"{name}: {getattr(self, name)}" for name in self.parameter_names)
        return f"{type(self).__name__}({shown})"


def summed(value, axes):
    """The sum over the last `axes` axes."""
    return ops.sum(value, tuple(range(-axes, 0))) if axes else value


class AroundLoc(Distribution):
    """A distribution whose mean and mode are `loc`."""

    @property
    def mean(self):
        """loc."""
        return self.loc

    @property
    def mode(self):
        """loc."""
        return self.loc


class HalfDistribution(Distribution):
    """The absolute value of a variable around 0, with the parameter scale and differentiable samples."""

    has_rsample = True
    parameter_names = ("scale",)

    def __init__(self, scale, validate_args=None):
        (self.scale,) = tensors_of(scale)
        super().__init__(self.scale.shape)

    @property
    def mode(self):
        """0."""
        return ops.zeros_like(self.scale)


@layer("torch.distributions.Independent", drops=UNCHECKED)
class Independent(Distribution):
    """A distribution whose last batch axes count as axes of the event."""

    def __init__(self, base_distribution, reinterpreted_batch_ndims, validate_args=None):
        if reinterpreted_batch_ndims > len(base_distribution.batch_shape):
            raise ValueError(f"the distribution has {len(base_distribution.batch_shape)} batch axes, not {reinterpreted_batch_ndims}")
        self.base_dist = base_distribution
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims
        shape = base_distribution.batch_shape + base_distribution.event_shape
        kept = len(base_distribution.batch_shape) - reinterpreted_batch_ndims
        super().__init__(shape[:kept], shape[kept:])

    @property
    def has_rsample(self):
        """Whether the base distribution has differentiable samples."""
        return self.base_dist.has_rsample

    @property
    def mean(self):
        """The base distribution's."""
        return self.base_dist.mean

    @property
    def mode(self):
        """The base distribution's."""
        return self.base_dist.mode

    @property
    def variance(self):
        """The base distribution's."""
        return self.base_dist.variance

    def expand(self, batch_shape, _instance=None):
        """The same with another batch shape."""
        inner = tuple(batch_shape) + self.event_shape[: self.reinterpreted_batch_ndims]
        return type(self)(self.base_dist.expand(inner), self.reinterpreted_batch_ndims)

    def sample(self, sample_shape=()):
        """The base distribution's samples."""
        return self.base_dist.sample(sample_shape)

    def rsample(self, sample_shape=()):
        """The base distribution's differentiable samples."""
        return self.base_dist.rsample(sample_shape)

    def log_prob(self, value):
        """The sum over the axes that count as event."""
        return summed(self.base_dist.log_prob(value), self.reinterpreted_batch_ndims)

    def entropy(self):
        """The sum over the axes that count as event."""
        return summed(self.base_dist.entropy(), self.reinterpreted_batch_ndims)
