"""Transforms that reshape, that put transforms side by side, and distribution functions as transforms."""

import math

from mindspore import ops

from mindport.declare import layer
from mindport.equivalents.distributions_transforms import Transform


@layer("torch.distributions.ReshapeTransform")
class ReshapeTransform(Transform):
    """The last axes in another shape."""

    bijective = True

    def __init__(self, in_shape, out_shape, cache_size=0):
        super().__init__(cache_size)
        self.in_shape, self.out_shape = tuple(in_shape), tuple(out_shape)
        if math.prod(self.in_shape) != math.prod(self.out_shape):
            raise ValueError("in_shape, out_shape have different numbers of elements")
        self.event_dim = len(self.in_shape)

    @property
    def event_dim_after(self):
        """The axes of out_shape."""
        return len(self.out_shape)

    def _call(self, x):
        return x.reshape((*x.shape[: x.ndim - len(self.in_shape)], *self.out_shape))

    def _inverse(self, y):
        return y.reshape((*y.shape[: y.ndim - len(self.out_shape)], *self.in_shape))

    def log_abs_det_jacobian(self, x, y):
        """0."""
        return ops.zeros(x.shape[: x.ndim - len(self.in_shape)], dtype=x.dtype)

    def forward_shape(self, shape):
        """The last axes exchanged; they must be in_shape."""
        return exchanged(shape, self.in_shape, self.out_shape)

    def inverse_shape(self, shape):
        """The last axes exchanged; they must be out_shape."""
        return exchanged(shape, self.out_shape, self.in_shape)


def exchanged(shape, old, new):
    """A shape with other last axes."""
    if len(shape) < len(old):
        raise ValueError("Too few dimensions on input")
    cut = len(shape) - len(old)
    if tuple(shape[cut:]) != old:
        raise ValueError(f"Shape mismatch: expected {tuple(shape[cut:])} but got {old}")
    return (*shape[:cut], *new)


def pieces(x, lengths, dim):
    """A tensor cut along an axis."""
    return ops.split(x, list(lengths), dim)


@layer("torch.distributions.CatTransform")
class CatTransform(Transform):
    """Transforms of the pieces of a tensor along an axis, of `lengths` (1 each unless given)."""

    def __init__(self, tseq, dim=0, lengths=None, cache_size=0):
        super().__init__(cache_size)
        self.transforms = list(tseq)
        self.lengths = [1] * len(self.transforms) if lengths is None else list(lengths)
        if len(self.lengths) != len(self.transforms):
            raise ValueError("lengths and transforms are not equally many")
        self.dim = dim
        self.event_dim = max(part.event_dim for part in self.transforms)
        self.bijective = all(part.bijective for part in self.transforms)

    @property
    def length(self):
        """The length of the axis."""
        return sum(self.lengths)

    def _call(self, x):
        return ops.cat([part(piece) for part, piece in zip(self.transforms, pieces(x, self.lengths, self.dim))], self.dim)

    def _inverse(self, y):
        return ops.cat([part._inv_call(piece) for part, piece in zip(self.transforms, pieces(y, self.lengths, self.dim))], self.dim)

    def log_abs_det_jacobian(self, x, y):
        """The pieces' own, beside each other; summed along the axis where it is one of the event's."""
        found = []
        for part, before, after in zip(self.transforms, pieces(x, self.lengths, self.dim), pieces(y, self.lengths, self.dim)):
            told = part.log_abs_det_jacobian(before, after)
            if part.event_dim < self.event_dim:
                told = ops.sum(told, tuple(range(part.event_dim - self.event_dim, 0)))
            found.append(told)
        dim = (self.dim - x.ndim if self.dim >= 0 else self.dim) + self.event_dim
        return ops.cat(found, dim) if dim < 0 else sum(found)


@layer("torch.distributions.StackTransform")
class StackTransform(Transform):
    """Transforms of the slices of a tensor along an axis."""

    def __init__(self, tseq, dim=0, cache_size=0):
        super().__init__(cache_size)
        self.transforms = list(tseq)
        self.dim = dim
        self.bijective = all(part.bijective for part in self.transforms)

    def _slices(self, x):
        return [ops.squeeze(piece, self.dim) for piece in pieces(x, [1] * x.shape[self.dim], self.dim)]

    def _call(self, x):
        return ops.stack([part(piece) for part, piece in zip(self.transforms, self._slices(x))], self.dim)

    def _inverse(self, y):
        return ops.stack([part._inv_call(piece) for part, piece in zip(self.transforms, self._slices(y))], self.dim)

    def log_abs_det_jacobian(self, x, y):
        """The slices' own, along the same axis."""
        rows = zip(self.transforms, self._slices(x), self._slices(y))
        return ops.stack([part.log_abs_det_jacobian(before, after) for part, before, after in rows], self.dim)


@layer("torch.distributions.CumulativeDistributionTransform")
class CumulativeDistributionTransform(Transform):
    """A distribution's function, whose derivative is its density."""

    bijective = True
    sign = 1

    def __init__(self, distribution, cache_size=0):
        super().__init__(cache_size)
        self.distribution = distribution

    def _call(self, x):
        return self.distribution.cdf(x)

    def _inverse(self, y):
        return self.distribution.icdf(y)

    def log_abs_det_jacobian(self, x, y):
        """The logarithm of the density."""
        return self.distribution.log_prob(x)
