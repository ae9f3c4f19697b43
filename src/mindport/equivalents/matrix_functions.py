"""Products, powers, ranks and conditions of matrices."""

import math

import mindspore as ms
import numpy as np
from mindspore import Tensor, ops

from mindport.declare import Refused, difference, equivalent
from mindport.equivalents.factorizations import linalg_svd, svdvals, transposed
from mindport.equivalents.linear_systems import inverted
from mindport.equivalents.matrix import linalg_norm
from mindport.equivalents.of_nothing import tied

OUT = "out= is not supported: use the returned tensor"


@equivalent("torch.linalg.multi_dot", "torch.chain_matmul", opinfo="linalg.multi_dot")
def multi_dot(tensors, *, out=None):
    """The product of several matrices; the first and the last may be vectors."""
    if out is not None:
        raise Refused(OUT)
    result = tensors[0]
    for following in tensors[1:]:
        if result.shape[-1] == 0:  # MindSpore's kernel leaves such a product as it finds the memory
            result = ops.zeros((*result.shape[:-1], *following.shape[1:]), result.dtype)
        else:
            result = ops.matmul(result, following)
    return result


@equivalent("torch.linalg.vecdot")
def vecdot(x, y, *, dim=-1, out=None):
    """The inner product along an axis, the first factor conjugated."""
    if out is not None:
        raise Refused(OUT)
    products = (ops.conj(x) if x.is_complex() and x.size else x) * y
    if products.size == 0:
        axis = dim % products.ndim
        return tied(ops.zeros((*products.shape[:axis], *products.shape[axis + 1 :]), products.dtype), x, y)
    return ops.sum(products, dim)


@equivalent("torch.linalg.vander")
def linalg_vander(x, *, N=None):
    """The powers 0 to N - 1 of each element, along a new last axis."""
    if x.ndim == 0:
        return linalg_vander(x.reshape(1), N=N)
    count = x.shape[-1] if N is None else N
    kind = x if x.is_floating_point() or x.is_complex() else x.astype(ms.int64)
    powers = [ops.ones_like(kind)]
    for _ in range(count - 1):
        powers.append(powers[-1] * kind)
    return ops.stack(powers, axis=-1)


@equivalent("torch.matrix_exp", "torch.linalg.matrix_exp", "torch.Tensor.matrix_exp", differs=[difference("float16 overflows elsewhere", when="input.dtype == ms.float16", zh="float16 溢出情况不同")])
def matrix_exp(input):
    """exp of each square matrix: scaled until its norm is below 1/2, a Taylor polynomial, then squared back."""
    if input.size == 0:
        return Tensor.copy(input)
    size = float(np.abs(input.asnumpy()).sum(-1).max())
    halvings = max(0, math.ceil(math.log2(size)) + 1) if 0 < size < math.inf else 0
    x = input / 2**halvings
    one = ops.eye(input.shape[-1], input.shape[-1], input.dtype)
    result = one + x / 14
    for k in range(13, 0, -1):
        result = one + ops.matmul(x, result) / k
    for _ in range(halvings):
        result = ops.matmul(result, result)
    return result


@equivalent("torch.linalg.matrix_rank")
def matrix_rank(A, tol=None, *, atol=None, rtol=None, hermitian=False, out=None):
    """The int64 number of singular values above max(atol, rtol * the largest)."""
    if out is not None:
        raise Refused(OUT)
    if A.size == 0:
        return ops.zeros(A.shape[:-2], ms.int64)
    host = A.asnumpy()
    if hermitian:
        values = np.abs(np.linalg.eigvalsh(host))
    else:
        values = np.linalg.svd(host, compute_uv=False)
    largest = values.max(-1, keepdims=True)
    absolute = _column(tol if atol is None else atol, 0.0)
    share = np.finfo(values.dtype).eps * max(A.shape[-2:]) if atol is None and tol is None else 0.0
    limit = np.maximum(absolute, _column(rtol, share) * largest) if tol is None else absolute
    return Tensor(np.asarray((values > limit).sum(-1), np.int64))


def _column(value, otherwise):
    if isinstance(value, Tensor):
        return value.asnumpy()[..., None]
    return otherwise if value is None else value


@equivalent("torch.linalg.cond", differs=[difference("complex input gives a complex result whose imaginary part is 0", when="A.is_complex()", zh="复数输入返回复数类型"), difference("of a matrix that is singular, or nearly so, rounding decides how large the number is, up to infinity", when="ms.isfinite(A).all() and not (ms.linalg.cond(A) <= 1e6).all()", risk="style", zh="奇异或近奇异矩阵的条件数由舍入误差决定，可为无穷")])
def cond(A, p=None, *, out=None):
    """The condition number: the quotient of the extreme singular values, or norm(A, p) norm(A^-1, p)."""
    if out is not None:
        raise Refused(OUT)
    if A.size == 0:
        return ops.zeros(A.shape[:-2], A.dtype)
    if p in (None, 2, -2):
        values = svdvals(A)
        first, last = values[..., 0], values[..., -1]
        return last / first if p == -2 else first / last
    return linalg_norm(A, p, (-2, -1)) * linalg_norm(inverted(A), p, (-2, -1))


@equivalent("torch.geqrf", "torch.Tensor.geqrf", differs=[difference("of a matrix that is singular, or nearly so, rounding decides what stands below the last row of r", when="ms.isfinite(input).all() and (ms.linalg.cond(input) > 1e6).any()", zh="奇异或近奇异矩阵末尾的值由舍入误差决定"), difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(input).all()", zh="输入含 NaN 或无穷时结果不同")])
def geqrf(input, *, out=None):
    """The Householder vectors below r, and their factors. LAPACK by way of NumPy; torch has no gradient either."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensors")
    packed, tau = np.linalg.qr(input.asnumpy(), "raw")
    return Tensor(np.ascontiguousarray(np.swapaxes(packed, -1, -2))), Tensor(tau)


def _reflected(A, tau, other, backwards):
    """The Householder reflections of A applied to `other` from the left, the last one first or last."""
    rows = A.shape[-2]
    numbers = range(tau.shape[-1])
    for i in reversed(numbers) if not backwards else numbers:
        v = A[..., :, i : i + 1]
        below = Tensor((np.arange(rows) > i).reshape(-1, 1))
        unit = Tensor((np.arange(rows) == i).reshape(-1, 1)).astype(A.dtype)
        v = ops.where(below, v, ops.zeros_like(v)) + unit
        other = other - tau[..., i : i + 1].unsqueeze(-1) * ops.matmul(v, ops.matmul(transposed(v), other))
    return other


@equivalent(
    "torch.linalg.householder_product", "torch.orgqr", "torch.Tensor.orgqr", opinfo="linalg.householder_product",
    differs=[difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(input).all() or not ms.isfinite(tau).all()", zh="输入含 NaN 或无穷时结果不同")],
)  # fmt: skip
def householder_product(input, tau, *, out=None):
    """The first columns of the product of Householder reflections."""
    if out is not None:
        raise Refused(OUT)
    if input.is_complex():
        raise Refused("complex reflections are not supported: use torch.linalg.qr")
    if input.size == 0:
        return Tensor.copy(input)
    rows, columns = input.shape[-2:]
    start = ops.broadcast_to(ops.eye(rows, columns, input.dtype), input.shape)
    return _reflected(input, tau, start, False)


@equivalent("torch.ormqr", "torch.Tensor.ormqr")
def ormqr(input, tau, other, left=True, transpose=False, *, out=None):
    """`other` times the orthogonal matrix of Householder reflections."""
    if out is not None:
        raise Refused(OUT)
    if input.is_complex():
        raise Refused("complex reflections are not supported: use torch.linalg.qr")
    if other.size == 0 or input.size == 0:
        return Tensor.copy(other)
    if left:
        return _reflected(input, tau, other, transpose)
    return transposed(_reflected(input, tau, transposed(other), not transpose))


@equivalent("torch.cov", "torch.Tensor.cov", differs=[difference("16-bit numbers with weights stay 16 bits wide", when="input.dtype in (ms.float16, ms.bfloat16)", zh="带权重的 16 位数保持 16 位")])
def cov(input, *, correction=1, fweights=None, aweights=None):
    """The covariances of the rows, columns being observations, weighted by counts and by reliability."""
    x = input.reshape(1, -1) if input.ndim < 2 else input
    x = x if x.is_floating_point() or x.is_complex() else x.astype(ms.float32)
    count = x.shape[1]
    weights = None
    if fweights is not None:
        weights = fweights.astype(x.dtype)
    if aweights is not None:
        weights = aweights.astype(x.dtype) if weights is None else weights * aweights.astype(x.dtype)
    if weights is None:
        centred = x - x.mean(1, keep_dims=True)
        scaled, divisor = centred, max(count - correction, 0)
        divisor = Tensor(float(divisor), ms.float32)
    else:
        total = weights.sum()
        centred = x - (x * weights).sum(1, keepdims=True) / total
        scaled = centred * weights
        lost = correction * ((weights * aweights.astype(x.dtype)).sum() / total if aweights is not None else 1)
        rest = total - lost
        divisor = ops.relu(ops.real(rest) if rest.is_complex() else rest)
    other = ops.conj(centred) if x.is_complex() else centred
    result = ops.matmul(scaled, other.swapaxes(0, 1)) / divisor.astype(x.dtype)
    return result.reshape(()) if x.shape[0] == 1 else result


@equivalent("torch.corrcoef", "torch.Tensor.corrcoef", differs=[difference("one complex number gives 0 instead of NaN", when="input.is_complex() and input.numel() == 1", zh="单个复数得到 0 而非 NaN"), difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(input).all()", zh="输入含 NaN 或无穷时结果不同")])
def corrcoef(input):
    """The correlations of the rows, columns being observations."""
    c = cov(input)
    if c.ndim == 0:
        return c / c
    spread = ops.sqrt(c.diagonal())
    half = c / spread.reshape(-1, 1)
    result = half / spread.reshape(1, -1)
    if result.is_complex():
        return result
    # `ops.clamp` takes NaN for the lower bound, and NaN / 0 is infinite on CPU.
    return ops.where(ops.isnan(half), half, ops.where(ops.isnan(result), result, ops.clamp(result, -1, 1)))


@equivalent("torch.svd_lowrank", random=True, drops={"niter": "nothing is approximated, so there is nothing to iterate"})
def svd_lowrank(A, q=6, niter=2, M=None):
    """u, s, v of the q greatest singular values; computed exactly where torch draws (Halko et al.)."""
    x = A if M is None else A - ops.broadcast_to(M, A.shape)
    u, s, vh = linalg_svd(x, False)
    count = min(6 if q is None else q, s.shape[-1])
    return u[..., :count], s[..., :count], transposed(vh)[..., :count]


@equivalent("torch.pca_lowrank", random=True)
def pca_lowrank(A, q=None, center=True, niter=2):
    """u, s, v of the q greatest principal components; computed exactly where torch draws."""
    q = min(6, *A.shape[-2:]) if q is None else q
    return svd_lowrank(A - A.mean(-2, keep_dims=True) if center else A, q, niter)


@equivalent("torch.vander")
def vander(x, N=None, increasing=False):
    """The powers N - 1 to 0 of each element of a vector along a second axis, or 0 to N - 1. https://docs.pytorch.org/docs/2.13/generated/torch.vander.html"""
    count = x.shape[0] if N is None else N
    kind = x if x.is_floating_point() or x.is_complex() else x.astype(ms.int64)
    if count == 0:
        return ops.zeros((x.shape[0], 0), kind.dtype)
    powers = [ops.ones_like(kind)]
    for _ in range(count - 1):
        powers.append(powers[-1] * kind)
    return ops.stack(powers if increasing else powers[::-1], axis=1)
