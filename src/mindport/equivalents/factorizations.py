"""QR, SVD, Cholesky and eigenvalue factorisations: LAPACK by way of NumPy, with first derivatives.

MindSpore's kernels choose other signs than LAPACK, and most have no gradient. Here the factors are computed on
the host without one; then the first-order change of the factors is added, linear in ``A - stop_gradient(A)``: it
is zero in value and carries exactly the first derivative. Second derivatives through it are not right.
"""

import mindspore as ms
import numpy as np
from mindspore import Tensor, ops

from mindport.declare import Refused, absent, difference, equivalent

OUT = "out= is not supported: use the returned tensors"
SIGNS = difference(
    "singular vectors and eigenvectors are defined up to a sign or phase, and those of equal values up to a rotation: other signs are possible",
    risk="style", zh="特征向量与奇异向量的符号不唯一，可能与 PyTorch 不同",
)


def change(A):
    """Zero, with the gradient of A; infinite elements count as zero."""
    return A - ops.stop_gradient(A)


def transposed(x):
    """The last two axes swapped."""
    return ops.swapaxes(x, -1, -2)


def reciprocal(x):
    """1 / x for NumPy arrays, 0 for 0."""
    return np.where(x == 0, 0, 1 / np.where(x == 0, 1, x)).astype(x.dtype)


def pseudo_inverse(x):
    """Of NumPy matrices; NaN where they are not finite."""
    return np.linalg.pinv(x) if np.isfinite(x).all() else np.full_like(np.swapaxes(x, -1, -2), np.nan)


def lower_half(x):
    """The lower triangle with half of the diagonal."""
    return ops.tril(x) * Tensor(1 - 0.5 * np.eye(x.shape[-1]), x.dtype)


@equivalent("torch.linalg.qr", differs=[difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(A).all()", zh="输入含 NaN 或无穷时结果不同")])
def linalg_qr(A, mode="reduced", *, out=None):
    """q, r with A = q r; mode "r" leaves q empty. https://docs.pytorch.org/docs/2.13/generated/torch.linalg.qr.html"""
    if out is not None:
        raise Refused(OUT)
    if mode not in ("reduced", "complete", "r"):
        raise Refused("mode is one of 'reduced', 'complete' and 'r'")
    host = A.asnumpy()
    if mode == "r":
        r = Tensor(np.linalg.qr(host, "r"), A.dtype)
        return ops.zeros((0,), A.dtype), r
    q0, r0 = np.linalg.qr(host, mode)
    q, r = Tensor(q0, A.dtype), Tensor(r0, A.dtype)
    rows, columns = A.shape[-2:]
    if A.size == 0 or A.is_complex() or (mode == "complete" and rows > columns):
        return q, r
    return _qr_change(A, q, r, pseudo_inverse(r0[..., : r0.shape[-2]]))


def _qr_change(A, q, r, inverse):
    """The factors with their gradients; of a wide matrix the square left part decides."""
    count = r.shape[-2]
    inverse = Tensor(inverse, A.dtype)
    moved = change(A)
    left = ops.matmul(ops.matmul(transposed(q), moved[..., :count]), inverse)
    turn = ops.tril(left, -1) - transposed(ops.tril(left, -1))
    dq = ops.matmul(q, turn)
    if A.shape[-2] > count:
        straight = ops.matmul(moved[..., :count], inverse)
        dq = dq + straight - ops.matmul(q, ops.matmul(transposed(q), straight))
    dr = ops.matmul(transposed(q), moved) - ops.matmul(turn, r)
    return q + dq, r + ops.triu(dr)


@equivalent("torch.qr", "torch.Tensor.qr", differs=[difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(input).all()", zh="输入含 NaN 或无穷时结果不同")])
def qr(input, some=True, *, out=None):
    """q, r with input = q r. https://docs.pytorch.org/docs/2.13/generated/torch.qr.html"""
    if out is not None:
        raise Refused(OUT)
    return linalg_qr(input, "reduced" if some else "complete")


def _svd(A, full_matrices):
    """u, s, v^T; further columns of u and v have no gradient, as in torch."""
    u0, s0, vh0 = np.linalg.svd(A.asnumpy(), full_matrices=full_matrices)
    real = ms.float64 if s0.dtype == np.float64 else ms.float32
    u, s, vh = Tensor(u0, A.dtype), Tensor(s0, real), Tensor(vh0, A.dtype)
    if A.size == 0 or A.is_complex():
        return u, s, vh
    count = s0.shape[-1]
    uk, vk = u[..., :count], transposed(vh)[..., :count]
    moved = change(A)
    squares = s0**2
    f = Tensor(reciprocal(squares[..., None, :] - squares[..., :, None]), A.dtype)
    inverse = Tensor(reciprocal(s0)[..., None, :], A.dtype)
    p = ops.matmul(transposed(uk), ops.matmul(moved, vk))
    row, column = s.unsqueeze(-2), s.unsqueeze(-1)
    du = ops.matmul(uk, f * (p * row + column * transposed(p)))
    dv = ops.matmul(vk, f * (column * p + transposed(p) * row))
    if A.shape[-2] > count:
        x = ops.matmul(moved, vk) * inverse
        du = du + x - ops.matmul(uk, ops.matmul(transposed(uk), x))
    if A.shape[-1] > count:
        x = ops.matmul(transposed(moved), uk) * inverse
        dv = dv + x - ops.matmul(vk, ops.matmul(transposed(vk), x))
    first, last = uk + du, transposed(vk + dv)
    if u.shape[-1] > count:
        first = ops.cat((first, u[..., count:]), axis=-1)
    if vh.shape[-2] > count:
        last = ops.cat((last, vh[..., count:, :]), axis=-2)
    return first, s + ops.sum(p * Tensor(np.eye(count), A.dtype), -1), last


@equivalent("torch.linalg.svd", differs=[SIGNS])
def linalg_svd(A, full_matrices=True, *, driver=None, out=None):
    """u, s, vh with A = u diag(s) vh. https://docs.pytorch.org/docs/2.13/generated/torch.linalg.svd.html"""
    if out is not None:
        raise Refused(OUT)
    if driver is not None:
        raise Refused("driver= chooses a CUDA library: leave it out")
    return _svd(A, full_matrices)


@equivalent("torch.svd", "torch.Tensor.svd", differs=[SIGNS])
def svd(input, some=True, compute_uv=True, *, out=None):
    """u, s, v with input = u diag(s) v^T. https://docs.pytorch.org/docs/2.13/generated/torch.svd.html"""
    if out is not None:
        raise Refused(OUT)
    if not compute_uv:
        raise Refused("compute_uv=False is not supported: use torch.linalg.svdvals")
    u, s, vh = _svd(input, not some)
    return u, s, transposed(ops.conj(vh) if vh.is_complex() else vh)


@equivalent("torch.linalg.svdvals", differs=[difference("a complex input gives a complex result, whose imaginary part is 0", when="A.is_complex()", zh="复数输入得到复数结果")])
def svdvals(A, *, driver=None, out=None):
    """The singular values, greatest first. https://docs.pytorch.org/docs/2.13/generated/torch.linalg.svdvals.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if driver is not None:
        raise Refused("driver= chooses a CUDA library: leave it out")
    return ops.svd(A, compute_uv=False)


@equivalent("torch.linalg.eigh", differs=[SIGNS])
def eigh(A, UPLO="L", *, out=None):
    """The eigenvalues, ascending, and eigenvectors of symmetric matrices. https://docs.pytorch.org/docs/2.13/generated/torch.linalg.eigh.html"""
    if out is not None:
        raise Refused(OUT)
    w0, v0 = np.linalg.eigh(A.asnumpy(), UPLO)
    real = ms.float64 if w0.dtype == np.float64 else ms.float32
    w, v = Tensor(w0, real), Tensor(v0, A.dtype)
    if A.size == 0 or A.is_complex():
        return w, v
    moved = change(A)
    p = ops.matmul(transposed(v), ops.matmul((moved + transposed(moved)) / 2, v))
    f = Tensor(reciprocal(w0[..., None, :] - w0[..., :, None]), A.dtype)
    return w + ops.sum(p * Tensor(np.eye(w0.shape[-1]), A.dtype), -1), v + ops.matmul(v, f * p)


@equivalent("torch.linalg.eigvalsh")
def eigvalsh(A, UPLO="L", *, out=None):
    """The eigenvalues of symmetric matrices, ascending. https://docs.pytorch.org/docs/2.13/generated/torch.linalg.eigvalsh.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return eigh(A, UPLO)[0]


def lower_cholesky(A):
    """The lower factor, by the lower triangle, with its gradient; raises where a matrix is not positive definite."""
    host = np.tril(A.asnumpy())
    lower0 = np.linalg.cholesky(host + np.swapaxes(np.tril(host, -1), -1, -2).conj())
    lower = Tensor(lower0, A.dtype)
    if A.size == 0 or A.is_complex():
        return lower
    inverse = Tensor(np.linalg.inv(lower0), A.dtype)
    moved = change(A)
    p = ops.matmul(inverse, ops.matmul((moved + transposed(moved)) / 2, transposed(inverse)))
    return lower + ops.matmul(lower, lower_half(p))


@equivalent("torch.linalg.cholesky")
def cholesky(input, *, upper=False, out=None):
    """The Cholesky factor. https://docs.pytorch.org/docs/2.13/generated/torch.linalg.cholesky.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    lower = lower_cholesky(transposed(input) if upper else input)
    return transposed(lower) if upper else lower


@equivalent("torch.cholesky", "torch.Tensor.cholesky")
def old_cholesky(input, upper=False, *, out=None):
    """The Cholesky factor. https://docs.pytorch.org/docs/2.13/generated/torch.cholesky.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return cholesky(input, upper=upper)


@equivalent("torch.linalg.cholesky_ex", drops={"check_errors": "a matrix that is not positive definite raises either way"}, differs=[difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(input).all()", zh="输入含 NaN 或无穷时结果不同")])
def cholesky_ex(input, *, upper=False, check_errors=False, out=None):
    """The Cholesky factor and an int32 zero for each matrix; a matrix that is not positive definite raises."""
    if out is not None:
        raise Refused(OUT)
    return cholesky(input, upper=upper), ops.zeros(input.shape[:-2], ms.int32)


absent("torch.linalg.ldl_factor", "torch.linalg.ldl_factor_ex", "torch.linalg.ldl_solve", why="NumPy and MindSpore have no LDL factorisation: use torch.linalg.solve, or cholesky for positive definite matrices", rung="custom operator")
absent("torch.linalg.eig", "torch.linalg.eigvals", why="eigenvectors of general matrices are defined up to a complex factor, and MindSpore has no gradient of them: compute them with numpy.linalg.eig outside the differentiated part", rung="custom operator")
