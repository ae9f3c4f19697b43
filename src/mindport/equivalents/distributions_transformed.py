"""The distribution of a transformed variable. https://docs.pytorch.org/docs/2.13/distributions.html#transformeddistribution"""

from mindspore import ops

from mindport.declare import layer
from mindport.equivalents.distributions_base import UNCHECKED, Distribution, Independent, summed
from mindport.equivalents.distributions_transforms import ComposeTransform, Transform


@layer("torch.distributions.TransformedDistribution", drops=UNCHECKED)
class TransformedDistribution(Distribution):
    """What `transforms` (one, or a list, the first applied first) make of a variable of `base_distribution`."""

    def __init__(self, base_distribution, transforms, validate_args=None):
        self.transforms = [transforms] if isinstance(transforms, Transform) else list(transforms)
        whole = ComposeTransform(self.transforms)
        held = len(base_distribution.event_shape)
        start = tuple(base_distribution.batch_shape) + tuple(base_distribution.event_shape)
        shape = whole.forward_shape(start)
        wide = whole.inverse_shape(shape)
        if wide != start:
            base_distribution = base_distribution.expand(wide[: len(wide) - held])
        if whole.event_dim > held:
            base_distribution = Independent(base_distribution, whole.event_dim - held)
        self.base_dist = base_distribution
        events = max(whole.event_dim_after, len(base_distribution.event_shape) + whole.event_dim_after - whole.event_dim)
        super().__init__(shape[: len(shape) - events], shape[len(shape) - events :])

    @property
    def has_rsample(self):
        """Whether samples are differentiable in the parameters."""
        return self.base_dist.has_rsample

    def expand(self, batch_shape, _instance=None):
        """The same distribution with its parameters broadcast to another batch shape."""
        axes = tuple(batch_shape) + self.event_shape
        wide = ComposeTransform(self.transforms).inverse_shape(axes)
        made = TransformedDistribution(self.base_dist.expand(wide[: len(wide) - len(self.base_dist.event_shape)]), self.transforms)
        made.__class__ = type(self)
        return made

    def sample(self, sample_shape=()):
        """Transformed samples, without a gradient."""
        drawn = self.base_dist.sample(sample_shape)
        for transform in self.transforms:
            drawn = transform(drawn)
        return ops.stop_gradient(drawn) if not self._cached() else drawn

    def rsample(self, sample_shape=()):
        """Transformed samples, differentiable in the parameters."""
        drawn = self.base_dist.rsample(sample_shape)
        for transform in self.transforms:
            drawn = transform(drawn)
        return drawn

    def _cached(self):
        return any(transform._cache_size for transform in self.transforms)

    def log_prob(self, value):
        """The base density of the inverse, less the logarithm of the derivative."""
        events, total = len(self.event_shape), 0.0
        for transform in reversed(self.transforms):
            before = transform._inv_call(value)
            events = events + transform.event_dim - transform.event_dim_after
            total = total - summed(transform.log_abs_det_jacobian(before, value), events - transform.event_dim)
            value = before
        return total + summed(self.base_dist.log_prob(value), events - len(self.base_dist.event_shape))

    def _turned(self, probability):
        sign = 1
        for transform in self.transforms:
            sign = sign * transform.sign
        if isinstance(sign, int) and sign == 1:
            return probability
        return sign * (probability - 0.5) + 0.5

    def cdf(self, value):
        """The base distribution function of the inverse; one less it where the transform falls."""
        for transform in reversed(self.transforms):
            value = transform._inv_call(value)
        return self._turned(self.base_dist.cdf(value))

    def icdf(self, value):
        """The transformed inverse of the base distribution function."""
        value = self.base_dist.icdf(self._turned(value))
        for transform in self.transforms:
            value = transform(value)
        return value
