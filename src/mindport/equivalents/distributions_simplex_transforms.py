"""Transforms of vectors and matrices: onto the simplex, to Cholesky factors, to positive definite matrices.

https://docs.pytorch.org/docs/2.13/distributions.html#module-torch.distributions.transforms
"""

import math

import mindspore as ms
import numpy as np
from mindspore import ops

from mindport.declare import layer
from mindport.equivalents.distributions_discrete import EPSILON, softplus
from mindport.equivalents.distributions_transforms import BELOW_ONE, TINY, Transform
from mindport.equivalents.factorizations import lower_cholesky


def led_by_ones(x):
    """A one before, and the last element off, along the last axis."""
    return ops.cat([ops.ones_like(x[..., :1]), x[..., :-1]], -1)


def countdown(x):
    """n, n - 1, …, 1 along the last axis, as constants."""
    return ms.Tensor(np.arange(x.shape[-1], 0, -1), x.dtype)


@layer("torch.distributions.SoftmaxTransform")
class SoftmaxTransform(Transform):
    """Numbers to shares by softmax; the logarithm leads back, up to a number added to all."""

    event_dim = 1

    def _call(self, x):
        raised = ops.exp(x - ops.amax(x, -1, True))
        return raised / ops.sum(raised, -1, True)

    def _inverse(self, y):
        return ops.log(y)


@layer("torch.distributions.StickBreakingTransform")
class StickBreakingTransform(Transform):
    """n numbers to n + 1 shares: each number says how much of the rest of a stick is broken off."""

    bijective = True
    event_dim = 1

    def _call(self, x):
        z = ops.clamp(ops.sigmoid(x - ops.log(countdown(x))), TINY, BELOW_ONE)
        rest = ops.cumprod(1 - z, -1)
        one = ops.ones_like(z[..., :1])
        return ops.cat([z, one], -1) * ops.cat([one, rest], -1)

    def _inverse(self, y):
        broken = y[..., :-1]
        rest = ops.clamp(1 - ops.cumsum(broken, -1), TINY)
        return ops.log(broken) - ops.log(rest) + ops.log(countdown(broken))

    def log_abs_det_jacobian(self, x, y):
        """The sum of the logarithms of the pieces and of what a sigmoid leaves."""
        x = x - ops.log(countdown(x))
        return ops.sum(-x - softplus(-x) + ops.log(y[..., :-1]), -1)

    def forward_shape(self, shape):
        """One more in the last axis."""
        return (*shape[:-1], shape[-1] + 1)

    def inverse_shape(self, shape):
        """One less in the last axis."""
        return (*shape[:-1], shape[-1] - 1)


def below_diagonal(size, diagonal):
    """The places of the elements up to a diagonal of a flattened square matrix, row by row."""
    rows, columns = np.tril_indices(size, diagonal)
    return rows * size + columns


def to_vector(matrix, diagonal):
    """The elements up to a diagonal, row by row."""
    size = matrix.shape[-1]
    return ops.gather(matrix.reshape((*matrix.shape[:-2], size * size)), ms.Tensor(below_diagonal(size, diagonal), ms.int32), -1)


def to_matrix(vector):
    """The strictly lower triangular matrix of a vector's elements, row by row."""
    size = round(0.5 + math.sqrt(0.25 + 2 * vector.shape[-1]))
    if size * (size - 1) // 2 != vector.shape[-1]:
        raise ValueError(f"The size of last dimension is {vector.shape[-1]} which cannot be expressed as the lower triangular part of a square D x D matrix.")
    places = np.full(size * size, vector.shape[-1], np.int32)
    places[below_diagonal(size, -1)] = np.arange(vector.shape[-1])
    padded = ops.cat([vector, ops.zeros((*vector.shape[:-1], 1), dtype=vector.dtype)], -1)
    return ops.gather(padded, ms.Tensor(places), -1).reshape((*vector.shape[:-1], size, size))


@layer("torch.distributions.CorrCholeskyTransform")
class CorrCholeskyTransform(Transform):
    """n (n - 1) / 2 numbers to the Cholesky factor of a correlation matrix, whose rows have length 1."""

    bijective = True
    event_dim = 1

    @property
    def event_dim_after(self):
        """Matrices."""
        return 2

    def _call(self, x):
        eps = EPSILON[x.dtype]
        falling = ops.exp(-2 * ops.clamp(x, -20, 20))  # tanh and what is left of it, exact where they are near 1 and 0; ops.tanh is not
        r = to_matrix(ops.clamp((1 - falling) / (1 + falling), -1 + eps, 1 - eps))
        left = ops.clamp(4 * falling / ops.square(1 + falling), 2 * eps)
        rest = ops.cumprod(ops.sqrt(1 + to_matrix(left - 1)), -1)
        return (r + ops.eye(r.shape[-1], dtype=r.dtype)) * led_by_ones(rest)

    def _inverse(self, y):
        rest = led_by_ones(1 - ops.cumsum(y * y, -1))
        t = to_vector(y, -1) / ops.sqrt(to_vector(rest, -1))
        return ops.log((1 + t) / (1 - t)) / 2

    def log_abs_det_jacobian(self, x, y):
        """Of the pieces of each row, and of tanh."""
        rest = 1 - ops.cumsum(y * y, -1)
        pieces = 0.5 * ops.sum(ops.log(to_vector(rest, -2)), -1)
        return pieces - 2 * ops.sum(x + softplus(-2 * x) - math.log(2.0), -1)

    def forward_shape(self, shape):
        """The matrix's."""
        size = round(0.5 + math.sqrt(0.25 + 2 * shape[-1]))
        if size * (size - 1) // 2 != shape[-1]:
            raise ValueError("Input is not a flattened lower-diagonal number")
        return (*shape[:-1], size, size)

    def inverse_shape(self, shape):
        """The vector's."""
        if len(shape) < 2 or shape[-2] != shape[-1]:
            raise ValueError("Too few dimensions on input" if len(shape) < 2 else "Input is not square")
        return (*shape[:-2], shape[-1] * (shape[-1] - 1) // 2)


def with_diagonal(x, function):
    """A matrix without what is above the diagonal, and the function's values on it."""
    unit = ops.eye(x.shape[-1], dtype=x.dtype)
    below = ms.Tensor(np.tril(np.ones(x.shape[-2:]), -1), x.dtype)
    return x * below + unit * function(ops.diagonal(x, dim1=-2, dim2=-1)).expand_dims(-1)


@layer("torch.distributions.LowerCholeskyTransform")
class LowerCholeskyTransform(Transform):
    """Any square matrix to a lower triangular one with a positive diagonal."""

    event_dim = 2

    def _call(self, x):
        return with_diagonal(x, ops.exp)

    def _inverse(self, y):
        return with_diagonal(y, ops.log)


@layer("torch.distributions.PositiveDefiniteTransform")
class PositiveDefiniteTransform(Transform):
    """Any square matrix to a positive definite one."""

    event_dim = 2

    def _call(self, x):
        lower = with_diagonal(x, ops.exp)
        return ops.matmul(lower, lower.swapaxes(-1, -2))

    def _inverse(self, y):
        return with_diagonal(lower_cholesky(y), ops.log)
