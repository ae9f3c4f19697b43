"""torch.distributions' transforms: functions with an inverse and the logarithm of their derivative.

`event_dim` says over how many last axes the derivative is one number. Domains and codomains (constraints) of torch's transforms are left out: nothing is
validated; a project's own transform says by them, as in torch, how many axes an event has.
https://docs.pytorch.org/docs/2.13/distributions.html#module-torch.distributions.transforms
"""

import math

import mindspore as ms
from mindspore import ops

from mindport.declare import layer
from mindport.equivalents.distributions_base import broadcast_shape, summed
from mindport.equivalents.distributions_event_axes import AxesOfDomain
from mindport.equivalents.near_zero import softplus_of
from mindport.equivalents.tangent import tanh_of

TINY = 1.1754943508222875e-38
BELOW_ONE = 1 - 1.1920928955078125e-07


def softplus(x):
    """log(1 + e to the power of x), without overflow."""
    return softplus_of(x)


@layer("torch.distributions.Transform")
class Transform:
    """Base of all transforms; `cache_size` 1 keeps the last pair, so that the inverse of a result is the very value it came from."""

    bijective = False
    event_dim = AxesOfDomain()

    def __init__(self, cache_size=0):
        if cache_size not in (0, 1):
            raise ValueError("cache_size must be 0 or 1")
        self._cache_size = cache_size
        self._cached = (None, None)

    def __call__(self, x):
        """The transformed value."""
        if self._cache_size and x is self._cached[0]:
            return self._cached[1]
        y = self._call(x)
        if self._cache_size:
            self._cached = (x, y)
        return y

    def _inv_call(self, y):
        if self._cache_size and y is self._cached[1]:
            return self._cached[0]
        x = self._inverse(y)
        if self._cache_size:
            self._cached = (x, y)
        return x

    def _call(self, x):
        raise NotImplementedError

    def _inverse(self, y):
        raise NotImplementedError

    @property
    def sign(self):
        """+1 where the transform increases, -1 where it decreases."""
        raise NotImplementedError

    @property
    def event_dim_after(self):
        """Over how many last axes of a result the derivative is one number."""
        codomain = getattr(self, "codomain", None)
        return self.event_dim if codomain is None else codomain.event_dim

    @property
    def inv(self):
        """The inverse as a transform."""
        return InverseTransform(self)

    def log_abs_det_jacobian(self, x, y):
        """log |dy / dx|, summed over the axes of an event."""
        raise NotImplementedError

    def forward_shape(self, shape):
        """The shape of what a value of this shape becomes."""
        return tuple(shape)

    def inverse_shape(self, shape):
        """The shape of what becomes a value of this shape."""
        return tuple(shape)

    def __repr__(self):
        return f"{type(self).__name__}()"


class InverseTransform(Transform):
    """A transform backwards; made by `inv`."""

    def __init__(self, transform):
        super().__init__()
        self._inv = transform
        self.bijective = transform.bijective
        self.event_dim = transform.event_dim_after

    @property
    def event_dim_after(self):
        """The transform's event_dim."""
        return self._inv.event_dim

    @property
    def sign(self):
        """+1 where the transform increases, -1 where it decreases."""
        return self._inv.sign

    @property
    def inv(self):
        """The transform itself."""
        return self._inv

    def __call__(self, x):
        return self._inv._inv_call(x)

    def _inv_call(self, y):
        return self._inv(y)

    def log_abs_det_jacobian(self, x, y):
        """Minus the transform's own."""
        return -self._inv.log_abs_det_jacobian(y, x)

    def forward_shape(self, shape):
        """The transform's inverse_shape."""
        return self._inv.inverse_shape(shape)

    def inverse_shape(self, shape):
        """The transform's forward_shape."""
        return self._inv.forward_shape(shape)


@layer("torch.distributions.AffineTransform")
class AffineTransform(Transform):
    """loc + scale * x."""

    bijective = True

    def __init__(self, loc, scale, event_dim=0, cache_size=0):
        super().__init__(cache_size)
        self.loc = loc
        self.scale = scale
        self.event_dim = event_dim

    @property
    def sign(self):
        """The sign of scale."""
        if isinstance(self.scale, ms.Tensor):
            return ops.sign(self.scale)
        return 1 if self.scale > 0 else -1 if self.scale < 0 else 0

    def _call(self, x):
        return self.loc + self.scale * x

    def _inverse(self, y):
        return (y - self.loc) / self.scale

    def log_abs_det_jacobian(self, x, y):
        """log |scale|."""
        if isinstance(self.scale, ms.Tensor):
            told = ops.log(ops.abs(self.scale))
        else:
            told = ops.full_like(x, math.log(abs(self.scale)))
        shape = broadcast_shape(x.shape, told.shape)
        return summed(ops.broadcast_to(told, shape) if told.shape != shape else told, self.event_dim)

    def forward_shape(self, shape):
        """The shape broadcast with loc and scale."""
        for part in (self.loc, self.scale):
            shape = broadcast_shape(shape, getattr(part, "shape", ()))
        return tuple(shape)

    def inverse_shape(self, shape):
        """The shape broadcast with loc and scale."""
        return self.forward_shape(shape)


@layer("torch.distributions.ExpTransform")
class ExpTransform(Transform):
    """e to the power of x."""

    bijective = True
    sign = 1

    def _call(self, x):
        return ops.exp(x)

    def _inverse(self, y):
        return ops.log(y)

    def log_abs_det_jacobian(self, x, y):
        """x."""
        return x


@layer("torch.distributions.SigmoidTransform")
class SigmoidTransform(Transform):
    """1 / (1 + exp(-x)), kept off 0 and 1."""

    bijective = True
    sign = 1

    def _call(self, x):
        return ops.clamp(ops.sigmoid(x), TINY, BELOW_ONE)

    def _inverse(self, y):
        y = ops.clamp(y, TINY, BELOW_ONE)
        return ops.log(y) - ops.log1p(-y)

    def log_abs_det_jacobian(self, x, y):
        """-softplus(-x) - softplus(x)."""
        return -softplus(-x) - softplus(x)


@layer("torch.distributions.TanhTransform")
class TanhTransform(Transform):
    """tanh(x)."""

    bijective = True
    sign = 1

    def _call(self, x):
        return tanh_of(x)

    def _inverse(self, y):
        return ops.atanh(y)

    def log_abs_det_jacobian(self, x, y):
        """2 (log 2 - x - softplus(-2 x)), which keeps its accuracy far from 0."""
        return 2.0 * (math.log(2.0) - x - softplus(-2.0 * x))


@layer("torch.distributions.SoftplusTransform")
class SoftplusTransform(Transform):
    """log(1 + exp(x))."""

    bijective = True
    sign = 1

    def _call(self, x):
        return softplus(x)

    def _inverse(self, y):
        return ops.log(-ops.expm1(-y)) + y

    def log_abs_det_jacobian(self, x, y):
        """-softplus(-x)."""
        return -softplus(-x)


@layer("torch.distributions.PowerTransform")
class PowerTransform(Transform):
    """x to the power of `exponent`, of positive x."""

    bijective = True

    def __init__(self, exponent, cache_size=0):
        super().__init__(cache_size)
        self.exponent = exponent if isinstance(exponent, ms.Tensor) else ms.Tensor(exponent, ms.float32)

    @property
    def sign(self):
        """The sign of the exponent."""
        return ops.sign(self.exponent)

    def _call(self, x):
        return ops.pow(x, self.exponent)

    def _inverse(self, y):
        return ops.pow(y, 1 / self.exponent)

    def log_abs_det_jacobian(self, x, y):
        """log |exponent y / x|."""
        return ops.log(ops.abs(self.exponent * y / x))

    def forward_shape(self, shape):
        """The shape broadcast with the exponent."""
        return broadcast_shape(shape, self.exponent.shape)

    def inverse_shape(self, shape):
        """The shape broadcast with the exponent."""
        return broadcast_shape(shape, self.exponent.shape)


@layer("torch.distributions.AbsTransform")
class AbsTransform(Transform):
    """|x|, whose inverse is taken to be the positive one; it has no derivative to speak of."""

    def _call(self, x):
        return ops.abs(x)

    def _inverse(self, y):
        return y


@layer("torch.distributions.ComposeTransform")
class ComposeTransform(Transform):
    """One transform after another; the first of `parts` comes first."""

    def __init__(self, parts, cache_size=0):
        super().__init__(cache_size)
        self.parts = list(parts)
        self.bijective = all(part.bijective for part in self.parts)
        for part in reversed(self.parts):
            self.event_dim = max(part.event_dim, self.event_dim + part.event_dim - part.event_dim_after)

    @property
    def event_dim_after(self):
        """The event's axes after all parts."""
        axes = 0
        for part in self.parts:
            axes = max(part.event_dim_after, axes + part.event_dim_after - part.event_dim)
        return axes

    @property
    def sign(self):
        """The product of the parts' signs."""
        sign = 1
        for part in self.parts:
            sign = sign * part.sign
        return sign

    def _call(self, x):
        for part in self.parts:
            x = part(x)
        return x

    def _inverse(self, y):
        for part in reversed(self.parts):
            y = part._inv_call(y)
        return y

    def log_abs_det_jacobian(self, x, y):
        """The sum of the parts'."""
        total, axes = ops.zeros_like(summed(x, self.event_dim)), self.event_dim
        for part in self.parts:
            after = part(x)
            total = total + summed(part.log_abs_det_jacobian(x, after), axes - part.event_dim)
            x, axes = after, axes + part.event_dim_after - part.event_dim
        return total

    def forward_shape(self, shape):
        """The parts' in turn."""
        for part in self.parts:
            shape = part.forward_shape(shape)
        return tuple(shape)

    def inverse_shape(self, shape):
        """The parts' in turn, backwards."""
        for part in reversed(self.parts):
            shape = part.inverse_shape(shape)
        return tuple(shape)


@layer("torch.distributions.IndependentTransform")
class IndependentTransform(Transform):
    """A transform whose last axes count as one event."""

    def __init__(self, base_transform, reinterpreted_batch_ndims, cache_size=0):
        super().__init__(cache_size)
        self.base_transform = base_transform
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims
        self.bijective = base_transform.bijective
        self.event_dim = base_transform.event_dim + reinterpreted_batch_ndims

    @property
    def event_dim_after(self):
        """The base transform's and the axes."""
        return self.base_transform.event_dim_after + self.reinterpreted_batch_ndims

    @property
    def sign(self):
        """The base transform's."""
        return self.base_transform.sign

    def _call(self, x):
        return self.base_transform(x)

    def _inverse(self, y):
        return self.base_transform._inv_call(y)

    def log_abs_det_jacobian(self, x, y):
        """The base transform's, summed over the axes."""
        return summed(self.base_transform.log_abs_det_jacobian(x, y), self.reinterpreted_batch_ndims)

    def forward_shape(self, shape):
        """The base transform's."""
        return self.base_transform.forward_shape(shape)

    def inverse_shape(self, shape):
        """The base transform's."""
        return self.base_transform.inverse_shape(shape)
