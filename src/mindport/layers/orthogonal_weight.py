"""Orthogonal weights, as a parametrization: by the matrix exponential, Cayley's map or Householder's reflections.

Source: torch/nn/utils/parametrizations.py; "Trivializations for Gradient-Based Optimization on Manifolds", https://arxiv.org/abs/1909.09501
"""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops

from mindport.declare import Refused, difference, equivalent
from mindport.equivalents.linear_systems import linalg_solve
from mindport.equivalents.matrix_functions import householder_product, matrix_exp
from mindport.layers.parametrization import is_parametrized, own_name, register_parametrization

MAPS = ("matrix_exp", "cayley", "householder")


def swapped(matrix):
    """The last two axes swapped."""
    return ops.swapaxes(matrix, -1, -2)


def orthogonal_factor(matrix):
    """Q of a NumPy matrix's QR decomposition in which R has no negative diagonal."""
    q, r = np.linalg.qr(matrix)
    return q * np.sign(np.diagonal(r, axis1=-2, axis2=-1))[..., None, :]


def completed_base(matrix):
    """A square orthogonal NumPy matrix whose first columns are the tall matrix's, made orthogonal; further columns are drawn."""
    rows, columns = matrix.shape[-2:]
    if rows == columns:
        close = np.abs(np.swapaxes(matrix, -1, -2) @ matrix - np.eye(columns)) <= 10.0 * rows * np.finfo(matrix.dtype).eps + 1e-5 * np.eye(columns)
        return matrix if close.all() else orthogonal_factor(matrix)
    drawn = ops.randn((*matrix.shape[:-2], rows, rows - columns)).asnumpy().astype(matrix.dtype)
    return orthogonal_factor(np.concatenate([matrix, drawn], -1))


class Orthogonalization(nn.Cell):
    """An orthogonal matrix of an unconstrained one, times a fixed `base` that holds the weight's first value."""

    def __init__(self, orthogonal_map, use_trivialization):
        super().__init__()
        self.orthogonal_map = orthogonal_map
        self.use_trivialization = use_trivialization

    def construct(self, original):
        """Orthonormal columns of a tall matrix, orthonormal rows of a wide one."""
        wide = original.shape[-2] < original.shape[-1]
        x = swapped(original) if wide else original
        q = self.reflected(x) if self.orthogonal_map == "householder" else self.retracted(x)
        if self.use_trivialization:
            q = ops.matmul(self._buffers["base"], q)
        return swapped(q) if wide else q

    def retracted(self, x):
        """The first columns of a rotation: of the skew-symmetric matrix that the lower triangle makes."""
        rows, columns = x.shape[-2:]
        x = x * Tensor(np.tril(np.ones((rows, columns))), x.dtype)
        if rows != columns:
            x = ops.cat((x, ops.zeros((*x.shape[:-1], rows - columns), x.dtype)), -1)
        skew = x - swapped(x)
        if self.orthogonal_map == "matrix_exp":
            return matrix_exp(skew)[..., :columns]
        unit = ops.broadcast_to(ops.eye(rows, rows, x.dtype), skew.shape)
        return linalg_solve(unit - 0.5 * skew, unit + 0.5 * skew)[..., :columns]

    def reflected(self, x):
        """Reflections by what stands below the diagonal; the diagonal's whole numbers are signs."""
        rows, columns = x.shape[-2:]
        vectors = x * Tensor(np.tril(np.ones((rows, columns)), -1), x.dtype)
        signs = (ops.stop_gradient(x) * ops.eye(rows, columns, x.dtype)).sum(-2).astype(ms.int32).astype(x.dtype)
        return householder_product(vectors, 2.0 / (1.0 + (vectors * vectors).sum(-2))) * signs.expand_dims(-2)

    def right_inverse(self, weight):
        """What gives the weight (made orthogonal); without a base, the exponential's and Cayley's original is the weight itself."""
        host = weight.asnumpy()
        wide = host.shape[-2] < host.shape[-1]
        tall = np.swapaxes(host, -1, -2) if wide else host
        if self.use_trivialization:
            self.register_buffer("base", Tensor(np.ascontiguousarray(completed_base(tall)), weight.dtype))
            return Tensor(np.broadcast_to(-np.eye(*host.shape[-2:]), host.shape).copy(), weight.dtype)
        if self.orthogonal_map != "householder":
            return weight
        packed, tau = np.linalg.qr(tall, "raw")
        packed = np.ascontiguousarray(np.swapaxes(packed, -1, -2))
        places = np.arange(packed.shape[-1])
        # LAPACK leaves out a reflection whose factor is zero: its sign is the other one
        packed[..., places, places] = np.sign(packed[..., places, places]) * np.where(tau == 0, -1, 1)
        return Tensor(np.ascontiguousarray(np.swapaxes(packed, -1, -2) if wide else packed), weight.dtype)


@equivalent(
    "torch.nn.utils.parametrizations.orthogonal",
    differs=[difference("of a matrix that is not square, the base's further columns come from MindSpore's generator", risk="style", zh="非方阵的补全列来自 MindSpore 的随机数")],
)
def orthogonal(module, name="weight", orthogonal_map=None, *, use_trivialization=True):
    """The parameter as an orthogonal matrix, or a batch of them. The module is the result.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.utils.parametrizations.orthogonal.html
    """
    if is_parametrized(module, name):
        raise Refused("a weight that is parametrized already: make it orthogonal first")
    weight = module._params.get(own_name(module, name))
    if weight is None:
        raise ValueError(f"Module '{type(module).__name__}' has no parameter or buffer with name '{name}'")
    if weight.ndim < 2:
        raise ValueError(f"Expected a matrix or batch of matrices. Got a tensor of {weight.ndim} dimensions.")
    if weight.is_complex():
        raise Refused("complex weights: MindSpore has no gradient of what makes them unitary")
    if orthogonal_map is None:
        orthogonal_map = "matrix_exp" if weight.shape[-2] == weight.shape[-1] else "householder"
    if orthogonal_map not in MAPS:
        raise ValueError(f'orthogonal_map has to be one of "matrix_exp", "cayley", "householder". Got: {orthogonal_map}')
    return register_parametrization(module, name, Orthogonalization(orthogonal_map, use_trivialization))
