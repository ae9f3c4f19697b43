"""Eigenvalues and eigenvectors of general matrices: LAPACK's geev by way of NumPy, with their first derivatives.

As in `factorizations`, the values are computed on the host and their change is added, zero in value, as a function of
``A - stop_gradient(A)``: with U the inverse of the vectors V, ``dw = diag(U dA V)``. Real and imaginary parts are computed apart.
"""

import numpy as np
from mindspore import Tensor, ops

from mindport.declare import Refused, difference, equivalent
from mindport.equivalents.factorizations import OUT, change


def decomposed(A):
    """Complex values and vectors of NumPy's, of their tensor's precision. Raises where A is not finite, as torch does."""
    host = A.asnumpy()
    if not np.isfinite(host).all():
        raise RuntimeError("torch.linalg.eig: input tensor should not contain infs or NaNs.")
    w, v = np.linalg.eig(host)
    return w.astype(np.result_type(host.dtype, np.complex64)), v.astype(np.result_type(host.dtype, np.complex64))


def parts(array, dtype):
    """The real and the imaginary part of a NumPy array as tensors."""
    return Tensor(np.ascontiguousarray(array.real), dtype), Tensor(np.ascontiguousarray(array.imag), dtype)


def times(a, b):
    """The product of complex matrices that are given as pairs."""
    return ops.matmul(a[0], b[0]) - ops.matmul(a[1], b[1]), ops.matmul(a[0], b[1]) + ops.matmul(a[1], b[0])


def moved_between_vectors(A, v):
    """U dA V as a pair."""
    right = parts(v, A.dtype)
    left = parts(np.linalg.inv(v), A.dtype)
    moved = change(A)
    half = ops.matmul(left[0], moved), ops.matmul(left[1], moved)
    return times(half, right), right


def values_with_change(w, between, dtype):
    """The eigenvalues, with the diagonal of the change."""
    unit = ops.eye(w.shape[-1], w.shape[-1], dtype)
    real, imaginary = parts(w, dtype)
    return ops.Complex()(real + (between[0] * unit).sum(-1), imaginary + (between[1] * unit).sum(-1))


@equivalent("torch.linalg.eigvals", differs=[difference("NaN or infinity raises RuntimeError, where torch ends the process on some CPUs", when="not ms.isfinite(A).all()", risk="loud", zh="含 NaN 或无穷时抛出 RuntimeError，PyTorch 在部分 CPU 上会终止进程"), difference("the eigenvalues may stand in another order: none is specified; second derivatives are not those of torch", risk="style", zh="特征值的顺序可能不同；二阶导数与 PyTorch 不同")])
def eigvals(A, *, out=None):
    """The complex eigenvalues of square matrices. https://docs.pytorch.org/docs/2.13/generated/torch.linalg.eigvals.html"""
    if out is not None:
        raise Refused(OUT)
    w, v = decomposed(A)
    if A.size == 0 or A.is_complex():
        return Tensor(w)
    between, _ = moved_between_vectors(A, v)
    return values_with_change(w, between, A.dtype)


@equivalent("torch.linalg.eig", differs=[difference("eigenvectors are defined up to a complex factor of length one, and the eigenvalues may stand in another order: none is specified; second derivatives are not those of torch", risk="style", zh="特征向量相差一个单位复因子，特征值的顺序可能不同；二阶导数与 PyTorch 不同")])
def eig(A, *, out=None):
    """The complex eigenvalues, and the eigenvectors of length one. https://docs.pytorch.org/docs/2.13/generated/torch.linalg.eig.html"""
    if out is not None:
        raise Refused(OUT)
    w, v = decomposed(A)
    if A.size == 0 or A.is_complex():
        return Tensor(w), Tensor(v)
    between, right = moved_between_vectors(A, v)
    gaps = w[..., None, :] - w[..., :, None]
    weights = parts(np.where(gaps == 0, 0, 1 / np.where(gaps == 0, 1, gaps)), A.dtype)
    mixed = between[0] * weights[0] - between[1] * weights[1], between[0] * weights[1] + between[1] * weights[0]
    step = times(right, mixed)
    # what would make a vector longer
    along = (right[0] * step[0] + right[1] * step[1]).sum(-2, keepdims=True)
    vectors = ops.Complex()(right[0] + step[0] - right[0] * along, right[1] + step[1] - right[1] * along)
    return values_with_change(w, between, A.dtype), vectors
