"""The multivariate normal distribution and mixtures."""

import math

from mindspore import ops

from mindport.declare import layer
from mindport.equivalents.distributions_base import (
    UNCHECKED,
    AroundLoc,
    Distribution,
    broadcast_shape,
    normal_draw,
)
from mindport.equivalents.exact_numbers import exact
from mindport.equivalents.factorizations import lower_cholesky


def solved(lower, right):
    """x with ``lower @ x = right``, row by row: lower (…, n, n) is triangular, right (…, n)."""
    found = []
    for row in range(lower.shape[-1]):
        value = right[..., row]
        for column, known in enumerate(found):
            value = value - lower[..., row, column] * known
        found.append(value / lower[..., row, row])
    return ops.stack(found, -1)


def factor_of_inverse(matrix):
    """The lower triangular L with ``L @ L^T`` the inverse of a positive definite matrix.

    Turned around in both axes, the matrix's Cholesky factor is the upper triangular U with ``U @ U^T`` the matrix; L is the inverse of U^T.
    """
    lower = ops.flip(lower_cholesky(ops.flip(matrix, (-2, -1))), (-2, -1)).swapaxes(-1, -2)
    unit = ops.broadcast_to(ops.eye(matrix.shape[-1]).astype(matrix.dtype), matrix.shape)
    return ops.stack([solved(lower, unit[..., row]) for row in range(matrix.shape[-1])], -1)


@layer("torch.distributions.MultivariateNormal", drops=UNCHECKED)
class MultivariateNormal(AroundLoc):
    """The normal distribution of vectors, by its covariance or the covariance's Cholesky factor."""

    has_rsample = True

    def __init__(self, loc, covariance_matrix=None, precision_matrix=None, scale_tril=None, validate_args=None):
        if (covariance_matrix is not None) + (precision_matrix is not None) + (scale_tril is not None) != 1:
            raise ValueError("give covariance_matrix, precision_matrix or scale_tril, one of the three")
        if precision_matrix is not None:
            given, factor = precision_matrix, factor_of_inverse(precision_matrix)
        elif covariance_matrix is not None:
            given, factor = covariance_matrix, lower_cholesky(covariance_matrix)
        else:
            given = factor = scale_tril
        batch, size = broadcast_shape(given.shape[:-2], loc.shape[:-1]), loc.shape[-1]
        self.loc = ops.broadcast_to(loc, batch + (size,))
        self.scale_tril = ops.broadcast_to(factor, batch + (size, size))
        super().__init__(batch, (size,))

    def expand(self, batch_shape, _instance=None):
        """The same with another batch shape."""
        shape = tuple(batch_shape) + self.event_shape
        return type(self)(ops.broadcast_to(self.loc, shape), scale_tril=ops.broadcast_to(self.scale_tril, shape + self.event_shape))

    @property
    def covariance_matrix(self):
        """The factor times its transpose."""
        return ops.matmul(self.scale_tril, self.scale_tril.swapaxes(-1, -2))

    @property
    def variance(self):
        """The diagonal of the covariance."""
        return ops.sum(ops.square(self.scale_tril), -1)

    def rsample(self, sample_shape=()):
        """loc plus the factor times standard normal vectors."""
        drawn = normal_draw(self._extended_shape(sample_shape), self.loc.dtype)
        return self.loc + ops.sum(self.scale_tril * drawn.expand_dims(-2), -1)

    def _log_determinant(self):
        return ops.sum(ops.log(ops.diagonal(self.scale_tril, dim1=-2, dim2=-1)), -1)

    def log_prob(self, value):
        """The logarithm of the density, by solving with the factor."""
        z = solved(self.scale_tril, value - self.loc)
        return -0.5 * (exact(self.event_shape[0] * math.log(2 * math.pi), z) + ops.sum(ops.square(z), -1)) - self._log_determinant()

    def entropy(self):
        """The entropy in nats."""
        return exact(0.5 * self.event_shape[0] * (1 + math.log(2 * math.pi)), self.loc) + self._log_determinant()


@layer("torch.distributions.MixtureSameFamily", drops=UNCHECKED)
class MixtureSameFamily(Distribution):
    """A mixture whose components lie along the last batch axis of one distribution."""

    def __init__(self, mixture_distribution, component_distribution, validate_args=None):
        self.mixture_distribution, self.component_distribution = mixture_distribution, component_distribution
        super().__init__(component_distribution.batch_shape[:-1], component_distribution.event_shape)

    def _weights(self):
        return self.mixture_distribution.probs.reshape(self.mixture_distribution.probs.shape + (1,) * len(self.event_shape))

    def _axis(self):
        return -1 - len(self.event_shape)

    @property
    def mean(self):
        """The weighted mean of the means."""
        return ops.sum(self._weights() * self.component_distribution.mean, self._axis())

    @property
    def variance(self):
        """The weighted variances plus the weighted squared distances of the means."""
        weights, means = self._weights(), self.component_distribution.mean
        centre = self.mean.expand_dims(self._axis())
        within = ops.sum(weights * self.component_distribution.variance, self._axis())
        return within + ops.sum(weights * ops.square(means - centre), self._axis())

    def sample(self, sample_shape=()):
        """A component drawn for each sample."""
        drawn = self.component_distribution.sample(sample_shape)
        chosen = self.mixture_distribution.sample(sample_shape).expand_dims(-1)
        mask = (ops.arange(self.mixture_distribution.probs.shape[-1]) == chosen).astype(drawn.dtype)
        mask = mask.reshape(mask.shape + (1,) * len(self.event_shape))
        return ops.stop_gradient(ops.sum(drawn * mask, self._axis()))

    def log_prob(self, value):
        """The log of the weighted sum of densities."""
        inner = self.component_distribution.log_prob(value.expand_dims(self._axis()))
        return ops.logsumexp(inner + self.mixture_distribution.logits, -1)

    def cdf(self, value):
        """The weighted sum of the components' distribution functions."""
        return ops.sum(self.component_distribution.cdf(value.expand_dims(self._axis())) * self.mixture_distribution.probs, -1)
