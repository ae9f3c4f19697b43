"""Linear systems and least squares: by the inverse, refined once, so that gradients of any order exist; triangular ones by substitution."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, ops
from mindspore.scipy.linalg import solve_triangular as substitution

from mindport.declare import Refused, difference, equivalent
from mindport.equivalents.factorizations import transposed
from mindport.equivalents.of_nothing import tied

OUT = "out= is not supported: use the returned tensor"
UNNOTICED = {"check_errors": "a singular matrix is not noticed"}


def inverted(A):
    """The inverse; `ops.inverse` knows no matrices of one element.

    Of float32 it takes pivots below 1e-7 times the largest for zero, and gives another matrix.
    """
    if A.shape[-1] == 1:
        return 1 / A
    return ops.inverse(A.astype(ms.complex128 if A.is_complex() else ms.float64)).astype(A.dtype)


def solved(A, B):
    """X with A X = B for matrices; one step of refinement brings the error to that of a direct solver."""
    if A.is_complex():
        raise Refused("complex systems are not supported: write real and imaginary part as one real system")
    if A.size == 0 or B.size == 0:
        lead = np.broadcast_shapes(tuple(A.shape[:-2]), tuple(B.shape[:-2]))
        return tied(ops.zeros((*lead, A.shape[-1], B.shape[-1]), A.dtype), A, B)
    wide, right = A.astype(ms.float64), B.astype(ms.float64)
    inverse = inverted(wide)
    x = ops.matmul(inverse, right)
    return (x + ops.matmul(inverse, right - ops.matmul(wide, x))).astype(A.dtype)


@equivalent(
    "torch.linalg.solve",
    differs=[difference("a singular matrix gives numbers where torch raises or reports it", when="ms.isfinite(A).all() and (A.det() == 0).any()", zh="奇异矩阵不报错，给出数值")],
)
def linalg_solve(A, B, *, left=True, out=None):
    """X with A X = B (or X A = B); a singular A is not noticed. https://docs.pytorch.org/docs/2.13/generated/torch.linalg.solve.html"""
    if out is not None:
        raise Refused(OUT)
    if B.ndim == 1 or (B.ndim + 1 == A.ndim and B.shape == A.shape[:-1]):
        return solved(A, B.unsqueeze(-1)).squeeze(-1)
    if not left:
        return transposed(solved(transposed(A), transposed(B)))
    return solved(A, B)


@equivalent(
    "torch.linalg.solve_ex", drops=UNNOTICED,
    differs=[difference("a singular matrix gives numbers where torch raises or reports it", when="ms.isfinite(A).all() and (A.det() == 0).any()", zh="奇异矩阵不报错，给出数值")],
)
def solve_ex(A, B, *, left=True, check_errors=False, out=None):
    """`solve`, and an int32 zero for each system; a singular A is not noticed."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensors")
    return linalg_solve(A, B, left=left), ops.zeros(A.shape[:-2], ms.int32)


@equivalent("torch.linalg.inv_ex", drops=UNNOTICED, differs=[difference("a singular matrix gives numbers where torch raises or reports it", when="ms.isfinite(A).all() and (A.det() == 0).any()", zh="奇异矩阵不报错，给出数值"), difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(A).all()", zh="输入含 NaN 或无穷时结果不同")])
def inv_ex(A, *, check_errors=False, out=None):
    """The inverse, and an int32 zero for each matrix; a singular one is not noticed."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensors")
    return Tensor.copy(A) if A.size == 0 else inverted(A), ops.zeros(A.shape[:-2], ms.int32)


def substituted(A, B, *, upper, transpose=False, unitriangular=False):
    """X with A X = B (or with A transposed), A triangular, by substitution: also where an inverse has no digits left. Its other half is not read."""
    if A.is_complex():
        raise Refused("complex systems are not supported: write real and imaginary part as one real system")
    if A.shape[:-2] != B.shape[:-2] or A.size == 0 or B.size == 0:
        lead = np.broadcast_shapes(tuple(A.shape[:-2]), tuple(B.shape[:-2]))
        if A.size == 0 or B.size == 0:
            return tied(ops.zeros((*lead, A.shape[-1], B.shape[-1]), A.dtype), A, B)
        A, B = ops.broadcast_to(A, (*lead, *A.shape[-2:])), ops.broadcast_to(B, (*lead, *B.shape[-2:]))
    return substitution(A, B, trans=1 if transpose else 0, lower=not upper, unit_diagonal=unitriangular)


@equivalent("torch.linalg.solve_triangular", differs=[difference("of a triangle that is singular, or nearly so, rounding decides", when="A.numel() > 0 and ms.isfinite(A).all() and not (ms.linalg.cond(A.triu() if upper else A.tril()) <= 100).all()", risk="style", zh="奇异或近奇异的三角矩阵，结果由舍入误差决定")])
def solve_triangular(A, B, *, upper, left=True, unitriangular=False, out=None):
    """X with A X = B (or X A = B), A triangular: its other half is not read."""
    if out is not None:
        raise Refused(OUT)
    if not left:
        return transposed(substituted(A, transposed(B), upper=upper, transpose=True, unitriangular=unitriangular))
    return substituted(A, B, upper=upper, unitriangular=unitriangular)


@equivalent("torch.triangular_solve", "torch.Tensor.triangular_solve", differs=[difference("of a triangle that is singular, or nearly so, rounding decides", when="A.numel() > 0 and ms.isfinite(A).all() and not (ms.linalg.cond(A.triu() if upper else A.tril()) <= 100).all()", risk="style", zh="奇异或近奇异的三角矩阵，结果由舍入误差决定")])
def triangular_solve(input, A, upper=True, transpose=False, unitriangular=False, *, out=None):
    """X with A X = input, A triangular, and a copy of A."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensors")
    lead = np.broadcast_shapes(tuple(A.shape[:-2]), tuple(input.shape[:-2]))
    return substituted(A, input, upper=upper, transpose=transpose, unitriangular=unitriangular), ops.broadcast_to(A, (*lead, *A.shape[-2:]))


def _factor(L, upper):
    """The lower factor; the other half does not count, but torch gives it a gradient all the same."""
    if L.size == 0:
        return L
    lower = transposed(L) if upper else L
    other = ops.triu(lower, 1)
    return ops.tril(lower) + (other - ops.stop_gradient(other))


@equivalent("torch.cholesky_solve", "torch.Tensor.cholesky_solve", differs=[difference("what stands in the other half of the factor changes torch's gradient, not its result", when="((L.tril(-1) if upper else L.triu(1)) != 0).any()", zh="因子另一半的元素只影响 PyTorch 的梯度"), difference("a zero on the diagonal gives numbers where torch gives infinity and NaN", when="(L.diagonal(0, -2, -1) == 0).any()", zh="对角线含零时得到数值，PyTorch 得到无穷与 NaN"), difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(input).all() or not ms.isfinite(L).all()", zh="输入含 NaN 或无穷时结果不同")])
def cholesky_solve(input, L, upper=False, *, out=None):
    """X with A X = input for the Cholesky factor of A."""
    if out is not None:
        raise Refused(OUT)
    lower = _factor(L, upper)
    return solved(transposed(lower), solved(lower, input))


@equivalent("torch.cholesky_inverse", "torch.Tensor.cholesky_inverse", differs=[difference("what stands in the other half of the factor changes torch's gradient, not its result", when="((input.tril(-1) if upper else input.triu(1)) != 0).any()", zh="因子另一半的元素只影响 PyTorch 的梯度"), difference("a zero on the diagonal gives numbers where torch gives infinity and NaN", when="(input.diagonal(0, -2, -1) == 0).any()", zh="对角线含零时得到数值，PyTorch 得到无穷与 NaN"), difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(input).all()", zh="输入含 NaN 或无穷时结果不同")])
def cholesky_inverse(input, upper=False, *, out=None):
    """The inverse of the matrix whose Cholesky factor is given."""
    if out is not None:
        raise Refused(OUT)
    if input.size == 0:
        return Tensor.copy(input)
    inverse = inverted(_factor(input, upper))
    return ops.matmul(transposed(inverse), inverse)


@equivalent("torch.linalg.tensorinv", differs=[difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(A).all()", zh="输入含 NaN 或无穷时结果不同")])
def tensorinv(A, ind=2, *, out=None):
    """The inverse of `tensordot` over the last axes."""
    if out is not None:
        raise Refused(OUT)
    first, last = tuple(A.shape[:ind]), tuple(A.shape[ind:])
    size = int(np.prod(first))
    return inverted(A.reshape(size, size)).reshape(last + first)


@equivalent("torch.linalg.tensorsolve")
def tensorsolve(A, B, dims=None, *, out=None):
    """X with tensordot(A, X, X.ndim) = B."""
    if out is not None:
        raise Refused(OUT)
    if dims is not None:
        dims = [d % A.ndim for d in dims]
        A = A.permute((*[d for d in range(A.ndim) if d not in dims], *dims))
    shape = tuple(A.shape[B.ndim :])
    size = int(np.prod(shape))
    return solved(A.reshape(size, size), B.reshape(-1, 1)).reshape(shape)


@equivalent("torch.linalg.lstsq", differs=[difference("an empty system gives unspecified values", when="A.numel() == 0 or B.numel() == 0", zh="空方程组的结果未定义")])
def lstsq(A, B, rcond=None, *, driver=None):
    """solution, residuals, rank and singular values of the least-squares problem, by the normal equations of full rank.

    https://docs.pytorch.org/docs/2.13/generated/torch.linalg.lstsq.html
    """
    if driver not in (None, "gels", "gelsy", "gelsd", "gelss"):
        raise Refused("driver is one of 'gels', 'gelsy', 'gelsd' and 'gelss'")
    rows, columns = A.shape[-2:]
    ranks, values = _ranks(A, rcond)
    if (ranks < min(rows, columns)).any():
        raise Refused("lstsq of a matrix without full rank: use torch.linalg.pinv(A) @ B")
    vector = B.ndim == 1 or (B.ndim + 1 == A.ndim and B.shape == A.shape[:-1])
    right = B.unsqueeze(-1) if vector else B
    a_t = transposed(A)
    if rows >= columns:
        x = solved(ops.matmul(a_t, A), ops.matmul(a_t, right))
        x = x + solved(ops.matmul(a_t, A), ops.matmul(a_t, right - ops.matmul(A, x)))
    else:
        x = ops.matmul(a_t, solved(ops.matmul(A, a_t), right))
    residuals = ops.zeros((0,), A.dtype)
    if rows > columns and driver != "gelsy":
        residuals = ops.square(ops.matmul(A, x) - right).sum(-2)
    return (
        x.squeeze(-1) if vector else x,
        residuals,
        Tensor([0][1:], ms.int64) if driver == "gels" else Tensor(ranks),
        Tensor(values) if driver in ("gelsd", "gelss") else ops.zeros((0,), A.dtype),
    )


def _ranks(A, rcond):
    """int64 ranks and singular values, on the host."""
    values = np.linalg.svd(A.asnumpy(), compute_uv=False)
    if values.size == 0:
        return np.zeros(values.shape[:-1], np.int64), values
    share = np.finfo(values.dtype).eps * max(A.shape[-2:]) if rcond is None else rcond
    return (values > share * values.max(-1, keepdims=True)).sum(-1), values
