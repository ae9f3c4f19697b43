"""LU factorisations with partial pivoting, and what is solved with them. Computed on the host, with first and second derivatives."""

import numpy as np
from mindspore import Tensor, ops

from mindport.declare import Refused, difference, equivalent
from mindport.equivalents.factorizations import ORDERS, OUT, change
from mindport.equivalents.linear_systems import substituted
from mindport.equivalents.of_nothing import tied

PIVOT = "pivot=False exists on CUDA only: leave it out"
LAST_PIVOT = difference(
    "of a matrix that is singular, or nearly so, rounding decides what stands after the last pivot",
    when="ms.isfinite(A).all() and not (ms.linalg.cond(A) <= 1e6).all()", zh="奇异或近奇异矩阵最后主元之后的值由舍入误差决定",
)  # fmt: skip


def _factored(matrix):
    """Packed factors and pivots, counted from 1, of one NumPy matrix."""
    a = matrix.copy()
    pivots = np.zeros(min(a.shape), np.int32)
    for k in range(min(a.shape)):
        best = k + int(np.argmax(np.abs(a[k:, k].real) + np.abs(a[k:, k].imag)))  # as LAPACK measures
        pivots[k] = best + 1
        if best != k:
            a[[k, best]] = a[[best, k]]
        if a[k, k] != 0:
            a[k + 1 :, k] /= a[k, k]
            a[k + 1 :, k + 1 :] -= np.outer(a[k + 1 :, k], a[k, k + 1 :])
    return a, pivots


def _host(A):
    """The same for a batch."""
    host = A.asnumpy()
    rows, columns = host.shape[-2:]
    if host.size == 0:
        return host, np.zeros((*host.shape[:-2], min(rows, columns)), np.int32)
    found = [_factored(m) for m in host.reshape(-1, rows, columns)]
    packed = np.stack([f[0] for f in found]).reshape(host.shape)
    return packed, np.stack([f[1] for f in found]).reshape(*host.shape[:-2], min(rows, columns))


def _permutation(pivots, rows, kind):
    """P with A = P L U, as a NumPy array."""
    lead = pivots.shape[:-1]
    flat = pivots.reshape(-1, pivots.shape[-1]) if pivots.size else np.zeros((int(np.prod(lead)), 0), np.int32)
    found = np.zeros((flat.shape[0], rows, rows), kind)
    for number, row in enumerate(flat):
        order = np.arange(rows)
        for k, other in enumerate(row):
            order[k], order[other - 1] = order[other - 1], order[k]
        found[number, order, np.arange(rows)] = 1
    return found.reshape(*lead, rows, rows)


def _inverse(x):
    """Of NumPy matrices; a singular one gets its pseudo-inverse."""
    if not np.isfinite(x).all():
        return np.full_like(x, np.nan)
    try:
        return np.linalg.inv(x)
    except np.linalg.LinAlgError:
        return np.linalg.pinv(x)


def _factors(A):
    """P and pivots as NumPy arrays; L and U as tensors with their gradients."""
    packed, pivots = _host(A)
    rows, columns = A.shape[-2:]
    k = min(rows, columns)
    p = _permutation(pivots, rows, packed.dtype)
    lower0 = np.tril(packed[..., :, :k], -1) + np.eye(rows, k, dtype=packed.dtype)
    upper0 = np.triu(packed[..., :k, :])
    lower, upper = Tensor(lower0, A.dtype), Tensor(upper0, A.dtype)
    if A.size == 0:
        return p, pivots, tied(lower, A), tied(upper, A)
    if A.is_complex():
        return p, pivots, lower, upper
    moved = ops.matmul(Tensor(np.ascontiguousarray(np.swapaxes(p, -1, -2)), A.dtype), change(A))
    left, right = Tensor(_inverse(lower0[..., :k, :]), A.dtype), Tensor(_inverse(upper0[..., :, :k]), A.dtype)
    f = ops.matmul(ops.matmul(left, moved[..., :k, :k]), right)
    below, above = ops.zeros_like(f), ops.zeros_like(f)
    for _ in range(ORDERS):  # I + F = (I + below) (I + above)
        rest = f - ops.matmul(below, above)
        below, above = ops.tril(rest, -1), ops.triu(rest)
    dl, du = ops.matmul(lower[..., :k, :], below), ops.matmul(above, upper[..., :, :k])
    if rows > k:  # L = B U^-1 with U^-1 = U0^-1 (I - above + above^2)
        part = ops.matmul(moved[..., k:, :], right)
        turned = above - ops.matmul(above, above)
        outer = lower[..., k:, :] + part
        dl = ops.cat((dl, part - ops.matmul(outer, turned)), axis=-2)
    if columns > k:
        part = ops.matmul(left, moved[..., :, k:])
        turned = below - ops.matmul(below, below)
        outer = upper[..., :, k:] + part
        du = ops.cat((du, part - ops.matmul(turned, outer)), axis=-1)
    return p, pivots, lower + dl, upper + du


@equivalent("torch.linalg.lu", differs=[LAST_PIVOT, difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(A).all()", zh="输入含 NaN 或无穷时结果不同")])
def linalg_lu(A, *, pivot=True, out=None):
    """P, L, U with A = P L U. https://docs.pytorch.org/docs/2.13/generated/torch.linalg.lu.html"""
    if out is not None:
        raise Refused(OUT)
    if not pivot:
        raise Refused(PIVOT)
    p, _, lower, upper = _factors(A)
    return Tensor(p, A.dtype), lower, upper


@equivalent("torch.linalg.lu_factor", differs=[LAST_PIVOT, difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(A).all()", zh="输入含 NaN 或无穷时结果不同")])
def lu_factor(A, *, pivot=True, out=None):
    """Both factors in one matrix, and int32 pivots. https://docs.pytorch.org/docs/2.13/generated/torch.linalg.lu_factor.html"""
    if out is not None:
        raise Refused(OUT)
    if not pivot:
        raise Refused(PIVOT)
    _, pivots, lower, upper = _factors(A)
    if A.size == 0:
        return A, Tensor(pivots)
    rows, columns = A.shape[-2:]
    k = min(rows, columns)
    below = ops.tril(lower, -1)
    if columns > k:
        below = ops.cat((below, ops.zeros((*A.shape[:-2], rows, columns - k), A.dtype)), axis=-1)
    if rows > k:
        upper = ops.cat((upper, ops.zeros((*A.shape[:-2], rows - k, columns), A.dtype)), axis=-2)
    return below + upper, Tensor(pivots)


@equivalent("torch.linalg.lu_factor_ex", differs=[LAST_PIVOT, difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(A).all()", zh="输入含 NaN 或无穷时结果不同")])
def lu_factor_ex(A, *, pivot=True, check_errors=False, out=None):
    """`lu_factor` and an int32 tensor: the first zero pivot, counted from 1, or 0."""
    if out is not None:
        raise Refused(OUT)
    packed, pivots = lu_factor(A, pivot=pivot)
    zeros = np.diagonal(packed.asnumpy(), axis1=-2, axis2=-1) == 0
    info = np.where(zeros.any(-1), zeros.argmax(-1) + 1, 0) if zeros.shape[-1] else np.zeros(zeros.shape[:-1])
    if check_errors and info.any():
        raise RuntimeError("torch.linalg.lu_factor_ex: a matrix is singular")
    return packed, pivots, Tensor(np.asarray(info, np.int32))


@equivalent("torch.lu", "torch.Tensor.lu", differs=[difference("of a matrix that is singular, or nearly so, rounding decides what stands after the last pivot", when="ms.isfinite(input).all() and (ms.linalg.cond(input) > 1e6).any()", zh="奇异或近奇异矩阵最后主元之后的值由舍入误差决定"), difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(input).all()", zh="输入含 NaN 或无穷时结果不同")])
def lu(input, pivot=True, get_infos=False):
    """Both factors in one matrix, int32 pivots, and with `get_infos` the first zero pivot."""
    if get_infos:
        return lu_factor_ex(input, pivot=pivot)
    return lu_factor(input, pivot=pivot)


@equivalent("torch.lu_unpack")
def lu_unpack(LU_data, LU_pivots, unpack_data=True, unpack_pivots=True, *, out=None):
    """P, L, U of packed factors; what is not unpacked is empty."""
    if out is not None:
        raise Refused(OUT)
    rows, columns = LU_data.shape[-2:]
    k = min(rows, columns)
    nothing = ops.zeros((0,), LU_data.dtype)
    p = lower = upper = nothing
    if unpack_pivots:
        p = Tensor(_permutation(LU_pivots.asnumpy(), rows, np.float64), LU_data.dtype)
    if unpack_data:
        if LU_data.size == 0:
            host = LU_data.asnumpy()
            return p, tied(Tensor(host[..., :k] + np.eye(rows, k, dtype=host.dtype)), LU_data), tied(Tensor(host[..., :k, :]), LU_data)
        lower = ops.tril(LU_data[..., :, :k], -1) + ops.eye(rows, k, LU_data.dtype)
        upper = ops.triu(LU_data[..., :k, :])
    return p, lower, upper


@equivalent("torch.linalg.lu_solve")
def linalg_lu_solve(LU, pivots, B, *, left=True, adjoint=False, out=None):
    """X with A X = B (or X A = B, or with the adjoint of A) for the factors of A."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if LU.is_complex():
        raise Refused("complex systems are not supported: write real and imaginary part as one real system")
    if LU.size == 0 or B.size == 0:
        return tied(ops.zeros(B.shape, B.dtype), LU, B)
    p = _permutation(pivots.asnumpy(), LU.shape[-1], np.float64)
    if not left:
        return ops.swapaxes(_solved(p, LU, ops.swapaxes(B, -1, -2), not adjoint), -1, -2)
    return _solved(p, LU, B, adjoint)


def _solved(p, packed, b, adjoint):
    """Both substitutions; each reads its half of the packed factors."""
    if not adjoint:
        below = substituted(packed, _reordered(p.argmax(-2), b), upper=False, unitriangular=True)
        return substituted(packed, below, upper=True)
    above = substituted(packed, b, upper=True, transpose=True)
    return _reordered(p.argmax(-1), substituted(packed, above, upper=False, transpose=True, unitriangular=True))


def _reordered(order, b):
    """The rows of each matrix in another order, taken and not multiplied: NaN stays in its row."""
    lead = np.broadcast_shapes(order.shape[:-1], tuple(b.shape[:-2]))
    shape = (*lead, *b.shape[-2:])
    places = np.ascontiguousarray(np.broadcast_to(order[..., None], shape))
    return ops.gather_elements(ops.broadcast_to(b, shape), -2, Tensor(places.astype(np.int64)))


@equivalent("torch.lu_solve")
def lu_solve(input, LU_data, LU_pivots, *, out=None):
    """X with A X = input for the factors of A."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return linalg_lu_solve(LU_data, LU_pivots, input)


@equivalent("torch.Tensor.lu_solve")
def tensor_lu_solve(self, LU_data, LU_pivots):
    """X with A X = self for the factors of A."""
    return linalg_lu_solve(LU_data, LU_pivots, self)
