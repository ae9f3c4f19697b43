"""Distributions of shares and matrices: logistic normal, LKJ over correlations, Wishart over covariances.

https://docs.pytorch.org/docs/2.13/distributions.html
"""

import math

import mindspore as ms
import numpy as np
from mindspore import ops

from mindport.declare import layer
from mindport.equivalents.distributions_base import (
    UNCHECKED,
    Distribution,
    broadcast_shape,
    gamma_draw,
    normal_draw,
    tensors_of,
)
from mindport.equivalents.distributions_continuous import Normal
from mindport.equivalents.distributions_discrete import EPSILON
from mindport.equivalents.distributions_gamma_gradient import differentiable_gamma
from mindport.equivalents.distributions_multivariate import factor_of_inverse, solved
from mindport.equivalents.distributions_simplex_transforms import StickBreakingTransform
from mindport.equivalents.distributions_transformed import TransformedDistribution
from mindport.equivalents.exponential import digamma, lgamma
from mindport.equivalents.factorizations import lower_cholesky


@layer("torch.distributions.LogisticNormal", drops=UNCHECKED)
class LogisticNormal(TransformedDistribution):
    """Shares whose stick-breaking numbers are normal."""

    def __init__(self, loc, scale, validate_args=None):
        base = Normal(loc, scale)
        super().__init__(base if base.batch_shape else base.expand((1,)), StickBreakingTransform())

    @property
    def loc(self):
        """The mean of the normal numbers."""
        return self.base_dist.base_dist.loc

    @property
    def scale(self):
        """The standard deviation of the normal numbers."""
        return self.base_dist.base_dist.scale


def strictly_lower(matrix):
    """The elements below the diagonal."""
    return matrix * ms.Tensor(np.tril(np.ones(matrix.shape[-2:]), -1), matrix.dtype)


def with_rows_up(function, x, p):
    """The sum of function(x - i / 2), i from 0 to p - 1."""
    return sum(function(x - i / 2) for i in range(p))


def multivariate_lgamma(x, p):
    """The logarithm of the multivariate gamma function."""
    return with_rows_up(lgamma, x, p) + p * (p - 1) / 4 * math.log(math.pi)


def diagonal_of(matrix):
    """The elements on the diagonal."""
    return ops.diagonal(matrix, dim1=-2, dim2=-1)


@layer("torch.distributions.LKJCholesky", drops=UNCHECKED)
class LKJCholesky(Distribution):
    """Cholesky factors of correlation matrices, likelier near the unit matrix where `concentration` is large."""

    def __init__(self, dim, concentration=1.0, validate_args=None):
        if dim < 2:
            raise ValueError(f"Expected dim to be an integer greater than or equal to 2. Found dim={dim}.")
        self.dim = dim
        (self.concentration,) = tensors_of(concentration)
        super().__init__(self.concentration.shape, (dim, dim))

    def expand(self, batch_shape, _instance=None):
        """The same with another batch shape."""
        return type(self)(self.dim, ops.broadcast_to(self.concentration, tuple(batch_shape)))

    def sample(self, sample_shape=()):
        """Rows of drawn directions, whose lengths have beta distributed squares."""
        dtype = self.concentration.dtype
        offset = ms.Tensor(np.concatenate([[0], np.arange(self.dim - 1)]), dtype)
        marginal = (self.concentration + 0.5 * (self.dim - 2)).expand_dims(-1)
        ones = ops.zeros_like(marginal) + offset + 0.5
        first, second = gamma_draw(sample_shape, ones), gamma_draw(sample_shape, marginal - 0.5 * offset + ops.zeros_like(ones))
        rows = strictly_lower(normal_draw(self._extended_shape(sample_shape), dtype))
        length = ops.sqrt(ops.sum(ops.square(rows), -1, True))
        rows = rows / ops.where(length == 0, ops.ones_like(length), length) * ops.sqrt(first / (first + second)).expand_dims(-1)
        diagonal = ops.sqrt(ops.clamp(1 - ops.sum(ops.square(rows), -1), EPSILON[dtype]))
        return ops.stop_gradient(rows + diagonal.expand_dims(-1) * ops.eye(self.dim, dtype=dtype))

    def log_prob(self, value):
        """The logarithm of the density: powers of the diagonal, normalised."""
        rest, alpha = self.dim - 1, self.concentration + 0.5 * (self.dim - 1)
        order = 2 * (self.concentration - 1).expand_dims(-1) + self.dim - ms.Tensor(np.arange(2, self.dim + 1), self.concentration.dtype)
        told = ops.sum(order * ops.log(diagonal_of(value)[..., 1:]), -1)
        return told - (0.5 * rest * math.log(math.pi) + multivariate_lgamma(alpha - 0.5, rest) - lgamma(alpha) * rest)


@layer("torch.distributions.Wishart", drops=UNCHECKED)
class Wishart(Distribution):
    """Positive definite matrices: the sum of `df` outer products of normal vectors."""

    has_rsample = True

    def __init__(self, df, covariance_matrix=None, precision_matrix=None, scale_tril=None, validate_args=None):
        if (covariance_matrix is not None) + (precision_matrix is not None) + (scale_tril is not None) != 1:
            raise ValueError("Expected exactly one of covariance_matrix or precision_matrix or scale_tril may be specified.")
        if precision_matrix is not None:
            factor = factor_of_inverse(precision_matrix)
        else:
            factor = scale_tril if covariance_matrix is None else lower_cholesky(covariance_matrix)
        if factor.ndim < 2:
            raise ValueError("scale_tril must be at least two-dimensional, with optional leading batch dimensions")
        df = df if isinstance(df, ms.Tensor) else ms.Tensor(df, factor.dtype)
        batch, size = broadcast_shape(df.shape, factor.shape[:-2]), factor.shape[-1]
        self.df = ops.broadcast_to(df, batch)
        self.scale_tril = ops.broadcast_to(factor, (*batch, size, size))
        if bool((self.df <= size - 1).any()):
            raise ValueError(f"Value of df={df} expected to be greater than ndim - 1 = {size - 1}.")
        super().__init__(batch, (size, size))

    def expand(self, batch_shape, _instance=None):
        """The same with another batch shape."""
        batch = tuple(batch_shape)
        return type(self)(ops.broadcast_to(self.df, batch), scale_tril=ops.broadcast_to(self.scale_tril, batch + self.event_shape))

    @property
    def covariance_matrix(self):
        """The factor times its transpose."""
        return ops.matmul(self.scale_tril, self.scale_tril.swapaxes(-1, -2))

    @property
    def precision_matrix(self):
        """The inverse of the covariance."""
        size = self.event_shape[0]
        unit = ops.broadcast_to(ops.eye(size, dtype=self.scale_tril.dtype), self.scale_tril.shape)
        inverse = ops.stack([solved(self.scale_tril, unit[..., row]) for row in range(size)], -1)
        return ops.matmul(inverse.swapaxes(-1, -2), inverse)

    def _wide_df(self):
        return self.df.reshape((*self.df.shape, 1, 1))

    @property
    def mean(self):
        """df covariance."""
        return self._wide_df() * self.covariance_matrix

    @property
    def mode(self):
        """(df - size - 1) covariance, NaN where that is not positive."""
        factor = self._wide_df() - self.event_shape[0] - 1
        return ops.where(factor <= 0, ops.full_like(factor, float("nan")), factor) * self.covariance_matrix

    @property
    def variance(self):
        """df (covariance² + the outer product of its diagonal)."""
        covariance = self.covariance_matrix
        diagonal = diagonal_of(covariance)
        return self._wide_df() * (ops.square(covariance) + diagonal.expand_dims(-1) * diagonal.expand_dims(-2))

    def sample(self, sample_shape=()):
        """Matrices without a gradient."""
        return ops.stop_gradient(self._drawn(sample_shape, gamma_draw))

    def rsample(self, sample_shape=()):
        """Matrices that are differentiable in all parameters."""
        return self._drawn(sample_shape, differentiable_gamma)

    def _drawn(self, sample_shape, draw):
        # Bartlett's decomposition: chi-squared numbers on the diagonal, normal ones below
        size, dtype = self.event_shape[0], self.scale_tril.dtype
        degrees = self.df.expand_dims(-1) - ms.Tensor(np.arange(size), dtype)
        diagonal = ops.sqrt(2 * draw(sample_shape, 0.5 * degrees))
        noise = strictly_lower(normal_draw(self._extended_shape(sample_shape), dtype)) + diagonal.expand_dims(-1) * ops.eye(size, dtype=dtype)
        factor = ops.matmul(ops.broadcast_to(self.scale_tril, noise.shape), noise)
        return ops.matmul(factor, factor.swapaxes(-1, -2))

    def _log_half_determinant(self):
        return ops.sum(ops.log(diagonal_of(self.scale_tril)), -1)

    def log_prob(self, value):
        """The logarithm of the density, by solving with the factors."""
        n, p = self.df, self.event_shape[0]
        lower = lower_cholesky(value)
        scale = ops.broadcast_to(self.scale_tril, broadcast_shape(lower.shape, self.scale_tril.shape))
        lower = ops.broadcast_to(lower, scale.shape)
        trace = sum(ops.sum(ops.square(solved(scale, lower[..., column])), -1) for column in range(p))
        told = (n - p - 1) * ops.sum(ops.log(diagonal_of(lower)), -1) - 0.5 * trace
        return told - n * (p * math.log(2.0) / 2 + self._log_half_determinant()) - multivariate_lgamma(n / 2, p)

    def entropy(self):
        """The entropy in nats."""
        n, p = self.df, self.event_shape[0]
        told = (p + 1) * (p * math.log(2.0) / 2 + self._log_half_determinant()) + multivariate_lgamma(n / 2, p) + n * p / 2
        return told - (n - p - 1) / 2 * with_rows_up(digamma, n / 2, p)
