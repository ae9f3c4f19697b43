"""Constraints on matrices, which stand in the last two axes.

https://docs.pytorch.org/docs/2.13/distributions.html#module-torch.distributions.constraints
"""

import mindspore as ms
from mindspore import ops

from mindport.declare import constant
from mindport.equivalents.distributions_constraints import Constraint, all_over
from mindport.equivalents.factorizations import eigvalsh


class Matrix(Constraint):
    """Base of what is said about matrices."""

    event_dim = 2


class LowerTriangular(Matrix):
    """Zeros above the diagonal."""

    def check(self, value):
        """Whether each matrix has zeros above its diagonal."""
        return all_over(ops.tril(value) == value, 2)


class LowerCholesky(LowerTriangular):
    """Lower triangular with a positive diagonal."""

    def check(self, value):
        """Whether each matrix is a Cholesky factor."""
        return ops.logical_and(super().check(value), ops.all(ops.diagonal(value, 0, -2, -1) > 0, -1))


class CorrCholesky(LowerCholesky):
    """Cholesky factors of correlations: rows of length one."""

    def check(self, value):
        """Whether each matrix is one, up to ten roundings for each column."""
        tolerance = {ms.float64: 2.0**-52, ms.float16: 2.0**-10}.get(value.dtype, 2.0**-23) * value.shape[-1] * 10
        length = ops.sqrt(ops.square(value).sum(-1))
        return ops.logical_and(super().check(value), ops.all(ops.abs(length - 1.0) <= tolerance, -1))


class Square(Matrix):
    """As many rows as columns."""

    def check(self, value):
        """Whether each matrix is square."""
        return ops.full(value.shape[:-2], value.shape[-2] == value.shape[-1], dtype=ms.bool_)


class Symmetric(Square):
    """Equal to the transpose."""

    def check(self, value):
        """Whether each matrix is symmetric, to 1e-6 and 1e-5 of its size."""
        if value.shape[-2] != value.shape[-1]:
            return super().check(value)
        other = value.swapaxes(-2, -1)
        return all_over(ops.logical_or(value == other, ops.abs(value - other) <= 1e-6 + 1e-5 * ops.abs(other)), 2)


class PositiveSemidefinite(Symmetric):
    """No eigenvalue is negative."""

    def check(self, value):
        """Whether each matrix has none."""
        found = super().check(value)
        return ops.all(eigvalsh(value) >= 0, -1) if bool(found.all()) else found


class PositiveDefinite(Symmetric):
    """All eigenvalues are positive."""

    def check(self, value):
        """Whether each matrix's are."""
        found = super().check(value)
        return ops.all(eigvalsh(value) > 0, -1) if bool(found.all()) else found


lower_triangular = LowerTriangular()
lower_cholesky = LowerCholesky()
corr_cholesky = CorrCholesky()
square = Square()
symmetric = Symmetric()
positive_semidefinite = PositiveSemidefinite()
positive_definite = PositiveDefinite()
constant("torch.distributions.constraints.lower_triangular", lower_triangular)
constant("torch.distributions.constraints.lower_cholesky", lower_cholesky)
constant("torch.distributions.constraints.corr_cholesky", corr_cholesky)
constant("torch.distributions.constraints.square", square)
constant("torch.distributions.constraints.symmetric", symmetric)
constant("torch.distributions.constraints.positive_semidefinite", positive_semidefinite)
constant("torch.distributions.constraints.positive_definite", positive_definite)
