"""Norms, inverses, determinants and decompositions of matrices."""

import math

import mindspore as ms
from mindspore import Tensor, ops

from mindport.declare import Refused, difference, equivalent
from mindport.equivalents.exact_numbers import exact
from mindport.equivalents.factorizations import eigh
from mindport.equivalents.of_nothing import tied

#: Not `ops.real`: a name that code mentions is looked for among what the project's objects hold (`graph_constants`), and `self.real` is no part of a norm.
REAL = ops.Real()
IMAGINARY = ops.Imag()
NEARLY_SINGULAR = difference("of a matrix with a large condition number (beyond 30), rounding and what counts as zero decide", when="ms.isfinite(A).all() and not (ms.linalg.cond(A) <= 30).all()", zh="条件数大（超过 30）的矩阵，结果由舍入误差决定")
SELF_NEARLY_SINGULAR = difference("of a matrix with a large condition number (beyond 30), rounding and what counts as zero decide", when="ms.isfinite(input).all() and not (ms.linalg.cond(input) <= 30).all()", zh="条件数大（超过 30）的矩阵，结果由舍入误差决定")


@equivalent("torch.linalg.vector_norm")
def vector_norm(x, ord=2, dim=None, keepdim=False, *, dtype=None, out=None):
    """The norm over axes as if they were one vector. Its gradient is 0 at zero, and shared by the largest, as in torch.

    https://docs.pytorch.org/docs/2.13/generated/torch.linalg.vector_norm.html. `ops.vector_norm` gives NaN, and all to the first; of complex
    numbers it gives complex ones.
    """
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if x.size == 0:
        return ops.zeros_like(ops.sum(x, dim, keepdim, dtype=dtype))
    if x.ndim == 0:
        return vector_norm(x.reshape(1), ord, 0, dtype=dtype).reshape(())
    x = x if dtype is None else x.astype(dtype)
    if x.dtype in (ms.float16, ms.bfloat16):  # squares overflow; torch, too, adds up in float32
        return vector_norm(x.astype(ms.float32), ord, dim, keepdim).astype(x.dtype)
    if x.is_complex():
        return vector_norm(root(ops.square(REAL(x)) + ops.square(IMAGINARY(x)), 2), ord, dim, keepdim)
    if ord in (0, 1):
        return ops.vector_norm(x, ord, dim, keepdim)
    if math.isinf(ord):
        extreme = ops.amax if ord > 0 else ops.amin
        return extreme(ops.abs(x), tuple(range(x.ndim)) if dim is None else dim, keepdim)
    if ord == 2:
        return root(ops.sum(ops.square(x), dim, keepdim), 2)
    return root(ops.sum(power(ops.abs(x), ord), dim, keepdim), ord)


def root(total, ord):
    """total ** (1 / ord), with the gradient 0 where total is 0."""
    zero = total == 0
    filled = ops.where(zero, 1.0, total)
    return ops.where(zero, total ** (1.0 if ord > 0 else 1 / ord), ops.sqrt(filled) if ord == 2 else filled ** exact(1 / ord, total))


def power(x, ord):
    """x ** ord of what is not negative; for an exponent below 1 the gradient at zero is 0."""
    if ord >= 1:
        return x ** exact(ord, x)
    zero = x == 0
    return ops.where(zero, ops.stop_gradient(x**ord), ops.where(zero, 1.0, x) ** exact(ord, x))


@equivalent("torch.norm", "torch.Tensor.norm", differs=[difference("the nuclear norm of float64 is float32", when="p == 'nuc' and input.dtype == ms.float64", zh="float64 核范数返回 float32")])
def norm(input, p="fro", dim=None, keepdim=False, out=None, dtype=None):
    """The p-norm of all elements or over axes, always of the vector of elements.

    https://docs.pytorch.org/docs/2.13/generated/torch.norm.html. `ops.norm(x, 2)` of a matrix is its largest
    singular value instead.
    """
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if p == "nuc":
        return matrix_norm(input, "nuc", (-2, -1) if dim is None else dim, keepdim, dtype=dtype)
    return vector_norm(input, 2 if p in (None, "fro") else p, dim, keepdim, dtype=dtype)


@equivalent("torch.linalg.norm", differs=[difference("the norms 1 and inf of a complex matrix are complex numbers, whose imaginary part is 0", when="A.is_complex() and ord not in (None, 'fro', 'nuc', 2, -2) and not (isinstance(dim, int) or (dim is None and A.ndim == 1))", zh="复数输入得到复数结果"), difference("an empty tensor gives unspecified values", when="A.numel() == 0", zh="空张量的结果不确定")])
def linalg_norm(A, ord=None, dim=None, keepdim=False, *, out=None, dtype=None):
    """The norm of a vector or matrix. https://docs.pytorch.org/docs/2.13/generated/torch.linalg.norm.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if ord is None or isinstance(dim, int) or (dim is None and A.ndim == 1):
        return vector_norm(A, 2 if ord is None else ord, dim, keepdim, dtype=dtype)
    return matrix_norm(A, ord, (-2, -1) if dim is None else dim, keepdim, dtype=dtype) if ord == "fro" or ord in SINGULAR else ops.norm(A, ord, dim, keepdim, dtype=dtype)


#: Norms by singular values, which MindSpore gives in float32 for float64.
SINGULAR = (2, -2, "nuc")


@equivalent("torch.linalg.matrix_norm", differs=[difference("the norms 1 and inf of a complex matrix are complex numbers, whose imaginary part is 0", when="A.is_complex() and ord not in ('fro', 'nuc', 2, -2)", zh="复数输入得到复数结果")])
def matrix_norm(A, ord="fro", dim=(-2, -1), keepdim=False, *, dtype=None, out=None):
    """The norm of matrices."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if ord == "fro":
        return vector_norm(A, 2, dim, keepdim, dtype=dtype)
    if ord in SINGULAR and A.size == 0:
        return _of_nothing(A if dtype is None else A.astype(dtype), ord, dim, keepdim)
    if ord in SINGULAR and A.is_complex():  # `ops.matrix_norm` gives another number
        return _by_singular_values(A if dtype is None else A.astype(dtype), ord, dim, keepdim)
    if ord in SINGULAR and ms.float64 in (A.dtype, dtype):
        return _by_singular_values(A.astype(ms.float64), ord, dim, keepdim)
    return ops.matrix_norm(A, ord, dim, keepdim, dtype=dtype)


def _of_nothing(A, ord, dim, keepdim):
    """The norms of no matrices, or the nuclear norm of matrices without elements, which is 0."""
    matrices = ops.movedim(A, tuple(dim), (-2, -1))
    if ord != "nuc" and 0 in matrices.shape[-2:]:
        raise RuntimeError(f"linalg.matrix_norm cannot compute the {ord} norm of matrices without elements")
    return _kept(tied(ops.zeros(matrices.shape[:-2], A.dtype), A), A, dim, keepdim)


def _by_singular_values(A, ord, dim, keepdim):
    values = ops.svd(ops.movedim(A, tuple(dim), (-2, -1)), compute_uv=False)
    values = REAL(values) if values.is_complex() else values
    norm = values.sum(-1) if ord == "nuc" else ops.amax(values, -1) if ord == 2 else ops.amin(values, -1)
    return _kept(norm, A, dim, keepdim)


def _kept(norm, A, dim, keepdim):
    """The norms with the matrices' axes of A kept, each of length 1, where asked for."""
    for axis in sorted(axis % A.ndim for axis in dim) if keepdim else ():
        norm = norm.unsqueeze(axis)
    return norm


@equivalent("torch.inverse", "torch.linalg.inv", "torch.Tensor.inverse", differs=[difference("a singular matrix gives numbers where torch raises or reports it", when="ms.isfinite(input).all() and (input.det() == 0).any()", zh="奇异矩阵不报错，给出数值"), difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(input).all()", zh="输入含 NaN 或无穷时结果不同")])
def inverse(input, *, out=None):
    """The inverse of each matrix; a singular one is not noticed (torch raises).

    https://docs.pytorch.org/docs/2.13/generated/torch.linalg.inv.html. Of a float32 matrix with a condition number above 2e6
    (a pose with a shift of 2000) `ops.inverse` takes small pivots for zero, and gives another matrix. It refuses matrices of one row.
    """
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if input.shape[-2:] == (1, 1):
        return 1 / input
    if input.size == 0:
        return Tensor.copy(input)
    if input.is_complex():
        return ops.inverse(input.astype(ms.complex128)).astype(input.dtype)
    return ops.inverse(input.astype(ms.float64)).astype(input.dtype)


@equivalent("torch.pinverse", "torch.Tensor.pinverse", differs=[SELF_NEARLY_SINGULAR, difference("a matrix without elements raises", when="input.numel() == 0", risk="loud", zh="空张量会报错")])
def pinverse(input, rcond=1e-15):
    """The pseudo-inverse of a matrix; singular values below rcond times the largest count as zero."""
    return ops.pinv(input, rtol=rcond)


@equivalent("torch.linalg.pinv", differs=[NEARLY_SINGULAR, difference("a matrix without elements raises", when="A.numel() == 0 and not hermitian", risk="loud", zh="空张量会报错")])
def linalg_pinv(A, rcond=None, hermitian=False, *, atol=None, rtol=None, out=None):
    """The pseudo-inverse of each matrix; small singular values count as zero, by `rtol` or its older name `rcond`."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    rtol = rcond if rtol is None else rtol
    if hermitian:
        return _hermitian_pinv(A, atol, rtol)
    return ops.pinv(A, atol=atol, rtol=rtol)


def _hermitian_pinv(A, atol, rtol):
    """By eigenvalues; those of small absolute value count as zero."""
    if A.size == 0:
        return ops.swapaxes(A, -1, -2)
    values, vectors = eigh(A)
    size = ops.abs(values)
    absolute = 0.0 if atol is None else atol
    share = (1.1920929e-07 if A.dtype == ms.float32 else 2.220446049250313e-16) * A.shape[-1]
    relative = rtol if rtol is not None else share if atol is None else 0.0
    absolute = absolute.unsqueeze(-1) if isinstance(absolute, Tensor) else absolute
    relative = relative.unsqueeze(-1) if isinstance(relative, Tensor) else relative
    limit = ops.maximum(relative * ops.amax(size, -1, True), absolute + ops.zeros_like(size))
    kept = size > limit
    inverse = ops.where(kept, 1 / ops.where(kept, values, ops.ones_like(values)), ops.zeros_like(values))
    p = ops.stop_gradient(ops.matmul(vectors * inverse.unsqueeze(-2), ops.swapaxes(vectors, -1, -2)))
    # torch's formula for the gradient, of the whole matrix; the change itself is zero.
    fixed, moved = ops.stop_gradient(A), A - ops.stop_gradient(A)
    one = ops.eye(A.shape[-1], A.shape[-1], A.dtype)
    p_t, moved_t = ops.swapaxes(p, -1, -2), ops.swapaxes(moved, -1, -2)
    right = ops.matmul(ops.matmul(p, p_t), ops.matmul(moved_t, one - ops.matmul(fixed, p)))
    left = ops.matmul(one - ops.matmul(p, fixed), ops.matmul(moved_t, ops.matmul(p_t, p)))
    return p + right + left - ops.matmul(p, ops.matmul(moved, p))


@equivalent("torch.det", "torch.linalg.det", "torch.Tensor.det")
def det(input, *, out=None):
    """The determinant of each matrix; `ops.det` knows no matrices of one element, nor of none."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if input.shape[-1] == 1:
        return input[..., 0, 0]
    if input.size == 0:
        return tied(ops.ones(input.shape[:-2], input.dtype), input)
    return ops.det(input)


@equivalent("torch.slogdet", "torch.linalg.slogdet", "torch.Tensor.slogdet", differs=[difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(input).all()", zh="输入含 NaN 或无穷时结果不同")])
def slogdet(input, *, out=None):
    """The sign and the logarithm of the determinant of each matrix."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensors")
    if input.size == 0:
        real = {ms.complex64: ms.float32, ms.complex128: ms.float64}.get(input.dtype, input.dtype)
        return ops.ones(input.shape[:-2], input.dtype), tied(ops.zeros(input.shape[:-2], real), input)
    if input.shape[-1] == 1:  # not known to MindSpore's kernel
        only = input[..., 0, 0]
        return ops.sign(only), ops.log(ops.abs(only))
    sign, logarithm = ops.slogdet(input)
    return sign, ops.real(logarithm) if logarithm.is_complex() else logarithm


@equivalent("torch.logdet", "torch.Tensor.logdet")
def logdet(input):
    """The logarithm of the determinant of each matrix."""
    return ops.log(det(input))


@equivalent("torch.matrix_power", "torch.linalg.matrix_power", "torch.Tensor.matrix_power", differs=[difference("float64 is computed with the accuracy of float32", when="input.dtype == ms.float64", zh="float64 只有 float32 的精度")])
def matrix_power(input, n, *, out=None):
    """The n-th power of each matrix."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.matrix_power(input, n)
