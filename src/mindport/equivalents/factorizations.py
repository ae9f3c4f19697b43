"""QR, SVD, Cholesky and eigenvalue factorisations: LAPACK by way of NumPy, with first and second derivatives.

MindSpore's kernels choose other signs than LAPACK, and most have no gradient. Here the factors are computed on
the host without one; then their change is added as a series in ``A - stop_gradient(A)``, by the perturbation theory of
each factorisation: zero in value, with exactly the first derivative after one turn of the loop and the second after
two (`ORDERS`). Third derivatives are not right.
"""

import math

import mindspore as ms
import numpy as np
from mindspore import Tensor, ops
from scipy.linalg import get_lapack_funcs

from mindport.declare import Refused, difference, equivalent
from mindport.equivalents.of_nothing import tied

OUT = "out= is not supported: use the returned tensors"
SIGNS = difference(
    "singular vectors and eigenvectors are defined up to a sign or phase, and those of equal values up to a rotation: other signs are possible",
    risk="style", zh="特征向量与奇异向量的符号不唯一，可能与 PyTorch 不同",
)


#: How many derivatives of the factors are right.
ORDERS = 2


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


@equivalent("torch.linalg.qr", differs=[difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(A).all()", zh="输入含 NaN 或无穷时结果不同"), difference("a matrix of lower rank has no unique factors", when="A.numel() > 0 and (ms.linalg.matrix_rank(A[..., : A.shape[-2]]) < A[..., : A.shape[-2]].shape[-1]).any()", risk="style", zh="秩亏矩阵的分解不唯一")])
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
    if A.size == 0:
        return tied(q, A), tied(r, A)
    if A.is_complex() or (mode == "complete" and rows > columns):
        return q, r
    return _qr_change(A, q, r, pseudo_inverse(r0[..., : r0.shape[-2]]))


def _qr_change(A, q, r, inverse):
    """The factors with their derivatives; of a wide matrix the square left part decides.

    With B the left part, ``B^T B`` is ``R0^T (I + E) R0``; its Cholesky factor I + X turns R0 into R.
    """
    count = r.shape[-2]
    inverse = Tensor(inverse, A.dtype)
    moved = change(A)
    square, left = r[..., :count], moved[..., :count]
    inner = ops.matmul(ops.matmul(transposed(q), left), inverse)
    straight = ops.matmul(left, inverse)
    e = inner + transposed(inner) + ops.matmul(transposed(straight), straight)
    x = ops.zeros_like(e)
    for _ in range(ORDERS):
        x = transposed(lower_half(e - ops.matmul(transposed(x), x)))
    # Q = B R^-1 = (Q0 + straight) (I + X)^-1
    dq = straight - ops.matmul(q + straight, x - ops.matmul(x, x))
    if A.shape[-1] == count:
        return q + dq, r + ops.matmul(x, square)
    rest = moved[..., count:]
    dr = ops.matmul(transposed(dq), A[..., count:]) + ops.matmul(transposed(q), rest)
    return q + dq, r + ops.cat((ops.matmul(x, square), dr), axis=-1)


@equivalent("torch.qr", "torch.Tensor.qr", differs=[difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(input).all()", zh="输入含 NaN 或无穷时结果不同"), difference("a matrix of lower rank has no unique factors", when="input.numel() > 0 and (ms.linalg.matrix_rank(input[..., : input.shape[-2]]) < input[..., : input.shape[-2]].shape[-1]).any()", risk="style", zh="秩亏矩阵的分解不唯一")])
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
    if A.size == 0:  # still computed from A, so that backward goes through nothing
        return u, A.reshape(s.shape).astype(real) if s.size == 0 else s, vh
    if A.is_complex():
        return u, s, vh
    count = s0.shape[-1]
    uk, vk = u[..., :count], transposed(vh)[..., :count]
    first, middle, last = _svd_change(change(A), uk, s0, vk)
    last = transposed(last)
    if u.shape[-1] > count:
        first = ops.cat((first, u[..., count:]), axis=-1)
    if vh.shape[-2] > count:
        last = ops.cat((last, vh[..., count:, :]), axis=-2)
    return first, s + middle, last


def _svd_change(moved, u, s0, v):
    """u, the change of the singular values, and v with their derivatives.

    U = U0 (I + X) + what leaves the columns of U0, V likewise with Y; (S + M) (I + Y) = (I + X) (S + D), and transposed.
    """
    kind = moved.dtype
    squares = s0**2
    f = Tensor(reciprocal(squares[..., None, :] - squares[..., :, None]), kind)
    column, row = Tensor(s0[..., :, None], kind), Tensor(s0[..., None, :], kind)
    inverse = Tensor(reciprocal(s0)[..., None, :], kind)
    eye = Tensor(np.eye(s0.shape[-1]), kind)
    m = ops.matmul(transposed(u), ops.matmul(moved, v))
    tall = moved.shape[-2] > s0.shape[-1]
    wide = moved.shape[-1] > s0.shape[-1]
    x = y = ops.zeros_like(m)
    left = right = None
    d = ops.zeros_like(m[..., 0])
    for _ in range(ORDERS):
        by_row = d.unsqueeze(-2)
        p = m + ops.matmul(m, y)
        q = transposed(m) + ops.matmul(transposed(m), x)
        if right is not None:
            p = p + ops.matmul(transposed(u), ops.matmul(moved, right))
        if left is not None:
            q = q + ops.matmul(transposed(v), ops.matmul(transposed(moved), left))
        nearer = inverse - inverse * inverse * by_row
        if tall:
            out = ops.matmul(moved, v + ops.matmul(v, y) if right is None else v + ops.matmul(v, y) + right)
            left_next = (out - ops.matmul(u, ops.matmul(transposed(u), out))) * nearer
        if wide:
            out = ops.matmul(transposed(moved), u + ops.matmul(u, x) if left is None else u + ops.matmul(u, x) + left)
            right_next = (out - ops.matmul(v, ops.matmul(transposed(v), out))) * nearer
        # s_i Y_ij - X_ij s_j = X_ij d_j - P_ij and s_i X_ij - Y_ij s_j = Y_ij d_j - Q_ij off the diagonal
        p, q = p - x * by_row, q - y * by_row
        x_next, y_next = f * (row * p + column * q), f * (column * p + row * q)
        d = ops.sum((p + q) / 2 * eye, -1)
        # Columns of U and V have length 1.
        x_next = x_next * (1 - eye) - _lost_length(x, left) * eye
        y_next = y_next * (1 - eye) - _lost_length(y, right) * eye
        x, y = x_next, y_next
        left, right = left_next if tall else None, right_next if wide else None
    u, v = u + ops.matmul(u, x), v + ops.matmul(v, y)
    return u if left is None else u + left, d, v if right is None else v + right


def _lost_length(x, outside):
    """Half of the squared length of each column of a change, as a row."""
    lost = ops.sum(x * x, -2, keepdim=True)
    return (lost if outside is None else lost + ops.sum(outside * outside, -2, keepdim=True)) / 2


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


@equivalent("torch.linalg.svdvals", differs=[difference("a complex input gives a complex result, whose imaginary part is 0", when="A.is_complex()", zh="复数输入得到复数结果"), difference("singular values that are equal or 0 have no unique gradient", when="A.numel() > 0 and ((ms.linalg.svdvals(A).diff().abs() <= 1e-5 * ms.linalg.matrix_norm(A)[..., None]).any() or (ms.linalg.svdvals(A) <= 1e-5 * ms.linalg.matrix_norm(A)[..., None]).any())", risk="style", zh="相等或为零的奇异值没有唯一的梯度")])
def svdvals(A, *, driver=None, out=None):
    """The singular values, greatest first. https://docs.pytorch.org/docs/2.13/generated/torch.linalg.svdvals.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if driver is not None:
        raise Refused("driver= chooses a CUDA library: leave it out")
    if A.size == 0:
        return tied(ops.zeros((*A.shape[:-2], min(A.shape[-2:])), A.dtype), A)
    return ops.svd(A, compute_uv=False)


@equivalent("torch.linalg.eigh", differs=[SIGNS])
def eigh(A, UPLO="L", *, out=None):
    """The eigenvalues, ascending, and eigenvectors of symmetric matrices. https://docs.pytorch.org/docs/2.13/generated/torch.linalg.eigh.html"""
    if out is not None:
        raise Refused(OUT)
    w0, v0 = np.linalg.eigh(A.asnumpy(), UPLO)
    real = ms.float64 if w0.dtype == np.float64 else ms.float32
    w, v = Tensor(w0, real), Tensor(v0, A.dtype)
    if A.size == 0:
        return tied(w, A), tied(v, A)
    if A.is_complex():
        return w, v
    moved = change(A)
    m = ops.matmul(transposed(v), ops.matmul((moved + transposed(moved)) / 2, v))
    f = Tensor(reciprocal(w0[..., None, :] - w0[..., :, None]), A.dtype)
    eye = Tensor(np.eye(w0.shape[-1]), A.dtype)
    x, d = ops.zeros_like(m), ops.zeros_like(w)
    for _ in range(ORDERS):  # (W + M) (I + X) = (I + X) (W + D), the columns of I + X of length 1
        p = m + ops.matmul(m, x) - x * d.unsqueeze(-2)
        x, d = f * p - ops.sum(x * x, -2, keepdim=True) / 2 * eye, ops.sum(p * eye, -1)
    return w + d, v + ops.matmul(v, x)


@equivalent("torch.linalg.eigvalsh", differs=[difference("eigenvalues that are equal have no unique gradient", when="A.numel() > 0 and (ms.linalg.eigvalsh(A, UPLO).diff() <= 1e-5 * ms.linalg.matrix_norm(A)[..., None]).any()", risk="style", zh="相等的特征值没有唯一的梯度")])
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
    if A.size == 0:
        return A.reshape(A.shape)  # still computed from A, so that backward goes through nothing
    if A.is_complex():
        return lower
    inverse = Tensor(np.linalg.inv(lower0), A.dtype)
    moved = change(A)
    e = ops.matmul(inverse, ops.matmul((moved + transposed(moved)) / 2, transposed(inverse)))
    x = ops.zeros_like(e)
    for _ in range(ORDERS):  # I + E = (I + X) (I + X)^T
        x = lower_half(e - ops.matmul(x, transposed(x)))
    return lower + ops.matmul(lower, x)


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


@equivalent(
    "torch.linalg.cholesky_ex",
    differs=[difference("the factor of a matrix that is not positive definite is NaN, in torch what LAPACK left there", when="(ms.linalg.cholesky_ex(input, upper=upper).info > 0).any()", zh="非正定矩阵的因子为 NaN，PyTorch 保留 LAPACK 的中间结果")],
)
def cholesky_ex(input, *, upper=False, check_errors=False, out=None):
    """The Cholesky factor and, for each matrix, the order of its first leading minor that is not positive, else 0. https://docs.pytorch.org/docs/2.13/generated/torch.linalg.cholesky_ex.html"""
    if out is not None:
        raise Refused(OUT)
    if check_errors:
        return cholesky(input, upper=upper), ops.zeros(input.shape[:-2], ms.int32)
    A = transposed(input) if upper else input
    info = first_bad_minors(A.asnumpy())
    if info.any():
        bad = Tensor(info[..., None, None] > 0)
        lower = lower_cholesky(ops.where(bad, ops.eye(A.shape[-1], A.shape[-1], A.dtype), A))
        lower = ops.where(bad, ops.full_like(lower, math.nan), lower)
    else:
        lower = lower_cholesky(A)
    return transposed(lower) if upper else lower, Tensor(info)


def first_bad_minors(matrices):
    """LAPACK's `info`, int32: the order of each matrix's first leading minor that is not positive, by the lower triangle; 0 of one that is positive definite."""
    if matrices.size == 0:
        return np.zeros(matrices.shape[:-2], np.int32)
    return np.array([first_bad_minor(m) for m in matrices.reshape(-1, *matrices.shape[-2:])], np.int32).reshape(matrices.shape[:-2])


def first_bad_minor(matrix):
    """Of one matrix; not every LAPACK stops at a diagonal that is not a number."""
    (factorize,) = get_lapack_funcs(("potrf",), (matrix,))
    factor, info = factorize(matrix, lower=1)
    undefined = np.flatnonzero(np.isnan(np.diagonal(factor)))
    return info or (undefined[0] + 1 if undefined.size else 0)
