"""The normal distribution of vectors with a covariance of low rank. https://docs.pytorch.org/docs/2.13/distributions.html"""

import math

from mindspore import ops

from mindport.declare import layer
from mindport.equivalents.distributions_base import UNCHECKED, AroundLoc, broadcast_shape, normal_draw
from mindport.equivalents.distributions_multivariate import solved
from mindport.equivalents.exact_numbers import exact
from mindport.equivalents.factorizations import lower_cholesky


@layer("torch.distributions.LowRankMultivariateNormal", drops=UNCHECKED)
class LowRankMultivariateNormal(AroundLoc):
    """Covariance W Wᵀ + diag(d), with W = `cov_factor` (…, n, k) and d = `cov_diag` (…, n): what is decomposed has k rows."""

    has_rsample = True

    def __init__(self, loc, cov_factor, cov_diag, validate_args=None):
        size, rank = loc.shape[-1], cov_factor.shape[-1]
        if cov_factor.shape[-2] != size or cov_diag.shape[-1] != size:
            raise ValueError(f"loc has {size} elements, cov_factor {cov_factor.shape[-2]} rows, cov_diag {cov_diag.shape[-1]} elements")
        batch = broadcast_shape(broadcast_shape(loc.shape[:-1], cov_factor.shape[:-2]), cov_diag.shape[:-1])
        self.loc = ops.broadcast_to(loc, (*batch, size))
        self.cov_factor = ops.broadcast_to(cov_factor, (*batch, size, rank))
        self.cov_diag = ops.broadcast_to(cov_diag, (*batch, size))
        super().__init__(batch, (size,))

    def expand(self, batch_shape, _instance=None):
        """The same with another batch shape."""
        row = (*batch_shape, *self.event_shape)
        factor = ops.broadcast_to(self.cov_factor, (*row, self.cov_factor.shape[-1]))
        return type(self)(ops.broadcast_to(self.loc, row), factor, ops.broadcast_to(self.cov_diag, row))

    @property
    def variance(self):
        """The covariance's diagonal."""
        return ops.sum(ops.square(self.cov_factor), -1) + self.cov_diag

    @property
    def covariance_matrix(self):
        """W Wᵀ + diag(d)."""
        return ops.matmul(self.cov_factor, self.cov_factor.swapaxes(-1, -2)) + ops.eye(self.event_shape[0]) * self.cov_diag.expand_dims(-1)

    @property
    def scale_tril(self):
        """The covariance's Cholesky factor."""
        return lower_cholesky(self.covariance_matrix)

    def rsample(self, sample_shape=()):
        """loc + W e + sqrt(d) f of normal e and f."""
        shape = self._extended_shape(sample_shape)
        inner = normal_draw((*shape[:-1], 1, self.cov_factor.shape[-1]), self.loc.dtype)
        own = normal_draw(shape, self.loc.dtype)
        return self.loc + ops.sum(self.cov_factor * inner, -1) + ops.sqrt(self.cov_diag) * own

    def _capacitance(self):
        """The Cholesky factor of 1 + Wᵀ diag(1 / d) W."""
        scaled = self.cov_factor / self.cov_diag.expand_dims(-1)
        return lower_cholesky(ops.eye(scaled.shape[-1]) + ops.matmul(self.cov_factor.swapaxes(-1, -2), scaled))

    def _log_determinant(self, factor):
        diagonal = ops.sum(ops.log(ops.diagonal(factor, 0, -2, -1)), -1)
        return 2 * diagonal + ops.sum(ops.log(self.cov_diag), -1)

    def log_prob(self, value):
        """The logarithm of the density, by Woodbury's identity."""
        factor, apart = self._capacitance(), value - self.loc
        inner = ops.sum(self.cov_factor * (apart / self.cov_diag).expand_dims(-1), -2)
        distance = ops.sum(ops.square(apart) / self.cov_diag, -1) - ops.sum(ops.square(solved(factor, inner)), -1)
        return -0.5 * (exact(self.event_shape[0] * math.log(2 * math.pi), self.loc) + self._log_determinant(factor) + distance)

    def entropy(self):
        """Half of n (1 + log(2 pi)) and the logarithm of the covariance's determinant."""
        return 0.5 * (exact(self.event_shape[0] * (1 + math.log(2 * math.pi)), self.loc) + self._log_determinant(self._capacitance()))
