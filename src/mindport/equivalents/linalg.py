"""Products of matrices and vectors, diagonals and triangles. Decompositions and norms are in `matrix.py`."""

import math

import mindspore as ms
import numpy as np
from mindspore import ops

from mindport.declare import Refused, difference, equivalent
from mindport.equivalents.exact_numbers import scaled_sum
from mindport.equivalents.matrix import norm
from mindport.equivalents.python_data import seen_dtype


@equivalent("torch.matmul", "torch.linalg.matmul", differs=[difference("an empty tensor gives unspecified values", when="input.numel() == 0", zh="空张量的结果不确定")])
def matmul(input, other, *, out=None):
    """The product of matrices, vectors or batches of them. https://docs.pytorch.org/docs/2.13/generated/torch.matmul.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.matmul(input, other)


@equivalent("torch.Tensor.matmul", differs=[difference("an empty tensor gives unspecified values", when="self.numel() == 0", zh="空张量的结果不确定")])
def tensor_matmul(self, other):
    """The product of matrices, vectors or batches of them."""
    return self.matmul(other)


@equivalent("torch.mm", differs=[difference("an empty tensor gives unspecified values", when="input.numel() == 0", zh="空张量的结果不确定")])
def mm(input, mat2, *, out=None):
    """The product of two matrices. https://docs.pytorch.org/docs/2.13/generated/torch.mm.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.mm(input, mat2)


@equivalent("torch.Tensor.mm", differs=[difference("an empty tensor gives unspecified values", when="self.numel() == 0", zh="空张量的结果不确定")])
def tensor_mm(self, mat2):
    """The product of two matrices."""
    return self.mm(mat2)


@equivalent("torch.bmm")
def bmm(input, mat2, *, out=None):
    """The products of two batches of matrices. https://docs.pytorch.org/docs/2.13/generated/torch.bmm.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.bmm(input, mat2)


@equivalent("torch.Tensor.bmm")
def tensor_bmm(self, mat2):
    """The products of two batches of matrices."""
    return self.bmm(mat2)


@equivalent("torch.mv", "torch.Tensor.mv")
def mv(input, vec, *, out=None):
    """The product of a matrix and a vector."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.mv(input, vec)


@equivalent("torch.vdot", "torch.Tensor.vdot")
def vdot(input, other, *, out=None):
    """The inner product of two vectors; of complex ones the first is conjugated."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.inner(ops.conj(input) if input.is_complex() else input, other)


@equivalent("torch.dot", "torch.Tensor.dot")
def dot(input, tensor, *, out=None):
    """The inner product of two real vectors. `ops.dot` multiplies matrices only."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.inner(input, tensor)


@equivalent("torch.inner", "torch.Tensor.inner")
def inner(input, other, *, out=None):
    """The inner products over the last axes."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.inner(input, other)


@equivalent("torch.outer", "torch.ger", "torch.Tensor.outer", "torch.Tensor.ger")
def outer(input, vec2, *, out=None):
    """The outer product of two vectors. https://docs.pytorch.org/docs/2.13/generated/torch.outer.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.outer(input, vec2)


@equivalent("torch.addmm", "torch.Tensor.addmm", differs=[difference("matrices without columns give unspecified values", when="mat1.numel() == 0", zh="空矩阵的结果未定义"), difference("an empty tensor gives unspecified values", when="input.numel() == 0", zh="空张量的结果不确定")])
def addmm(input, mat1, mat2, *, beta=1, alpha=1, out=None):
    """beta * input + alpha * (mat1 @ mat2). https://docs.pytorch.org/docs/2.13/generated/torch.addmm.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if seen_dtype(input, ms.float64):
        return scaled_sum(beta, input, alpha, ops.mm(mat1, mat2))
    return ops.addmm(input, mat1, mat2, beta=beta, alpha=alpha)


@equivalent("torch.addmv", "torch.Tensor.addmv")
def addmv(input, mat, vec, *, beta=1, alpha=1, out=None):
    """beta * input + alpha * (mat @ vec)."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if seen_dtype(input, ms.float64):
        return scaled_sum(beta, input, alpha, ops.mv(mat, vec))
    return ops.addmv(input, mat, vec, beta=beta, alpha=alpha)


@equivalent("torch.addr", "torch.Tensor.addr", differs=[difference("of two dtypes the product is rounded to that of the vectors", when="input.dtype != vec1.dtype", risk="style", zh="两种类型混用时乘积按向量类型舍入")])
def addr(input, vec1, vec2, *, beta=1, alpha=1, out=None):
    """beta * input + alpha * outer(vec1, vec2); with beta 0 the input does not matter, NaN included."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if beta == 0 and input.dtype == ms.bfloat16:  # has no `where` on CPU, and no gradient there
        return alpha * ops.outer(vec1, vec2)
    if beta == 0:
        return ops.where(ops.full(tuple(input.shape), False, dtype=ms.bool_), input, alpha * ops.outer(vec1, vec2))  # the input's gradient is zeros, not None
    if seen_dtype(input, ms.float64):
        return scaled_sum(beta, input, alpha, ops.outer(vec1, vec2))
    return ops.addr(input, vec1, vec2, beta=beta, alpha=alpha)


@equivalent("torch.baddbmm", "torch.Tensor.baddbmm")
def baddbmm(input, batch1, batch2, *, beta=1, alpha=1, out=None):
    """beta * input + alpha * bmm(batch1, batch2). https://docs.pytorch.org/docs/2.13/generated/torch.baddbmm.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if beta == 0:
        return alpha * ops.bmm(batch1, batch2)
    if seen_dtype(input, ms.float64):
        return scaled_sum(beta, input, alpha, ops.bmm(batch1, batch2))
    return ops.baddbmm(input, batch1, batch2, beta=beta, alpha=alpha)


@equivalent("torch.addbmm", "torch.Tensor.addbmm", differs=[difference("integers are computed in another dtype", when="not input.is_floating_point()", zh="整数以其他类型计算")])
def addbmm(input, batch1, batch2, *, beta=1, alpha=1, out=None):
    """beta * input + alpha * the sum over the batch of bmm(batch1, batch2)."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    product = ops.sum(ops.bmm(batch1, batch2), 0, dtype=batch1.dtype)
    if beta == 0:
        return alpha * product
    if seen_dtype(input, ms.float64):
        return scaled_sum(beta, input, alpha, product)
    return beta * input + alpha * product


@equivalent("torch.chain_matmul")
def chain_matmul(*matrices, out=None):
    """The product of several matrices, from left to right."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    product = matrices[0]
    for matrix in matrices[1:]:
        product = ops.matmul(product, matrix)
    return product


@equivalent("torch.cross", "torch.Tensor.cross")
def cross(input, other, dim=None, *, out=None):
    """The cross product along an axis of length 3, the first such axis unless told otherwise.

    Broadcast by hand: `ops.cross` reads foreign memory when the shapes differ.
    """
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    shape = np.broadcast_shapes(input.shape, other.shape)
    if dim is None:
        dim = shape.index(3)
    return ops.cross(ops.broadcast_to(input, shape), ops.broadcast_to(other, shape), dim)


@equivalent("torch.linalg.cross")
def linalg_cross(input, other, *, dim=-1, out=None):
    """The cross product along an axis of length 3, the last unless told otherwise."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return cross(input, other, dim)


@equivalent("torch.tensordot")
def tensordot(a, b, dims=2, out=None):
    """The sum of products over the last `dims` axes of a and the first of b, or over pairs of axes.

    https://docs.pytorch.org/docs/2.13/generated/torch.tensordot.html
    """
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if isinstance(dims, int):
        left, right = list(range(a.ndim - dims, a.ndim)), list(range(dims))
    else:
        left, right = [int(d) % a.ndim for d in dims[0]], [int(d) % b.ndim for d in dims[1]]
    for k in range(len(left)):
        if a.shape[left[k]] == 1:
            b = ops.sum(b, right[k], True, dtype=b.dtype)
        elif b.shape[right[k]] == 1:
            a = ops.sum(a, left[k], True, dtype=a.dtype)
    rows = [d for d in range(a.ndim) if d not in left]
    columns = [d for d in range(b.ndim) if d not in right]
    shape = tuple(a.shape[d] for d in rows) + tuple(b.shape[d] for d in columns)
    count = math_product(a.shape[d] for d in left)
    first = a.permute(*rows, *left).reshape(math_product(a.shape[d] for d in rows), count)
    second = b.permute(*right, *columns).reshape(count, math_product(b.shape[d] for d in columns))
    return ops.mm(first, second).reshape(shape)


def math_product(numbers):
    """The product of sizes, 1 of none."""
    product = 1
    for number in numbers:
        product *= number
    return product


@equivalent("torch.kron", "torch.Tensor.kron")
def kron(input, other, *, out=None):
    """The Kronecker product."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.kron(input, other)


@equivalent("torch.cdist", drops={"compute_mode": "chooses how torch computes the same distances"}, differs=[difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(x1).all() or not ms.isfinite(x2).all()", zh="输入含 NaN 或无穷时结果不同")])
def cdist(x1, x2, p=2.0, compute_mode="use_mm_for_euclid_dist_if_necessary"):
    """The p-distances between the rows of two batches. https://docs.pytorch.org/docs/2.13/generated/torch.cdist.html"""
    if x1.dtype == ms.float64 or x2.dtype == ms.float64:
        return _exact_distances(x1.unsqueeze(-2) - x2.unsqueeze(-3), float(p))  # the kernel computes in float32
    if p < 1:  # the kernel has no gradient where two coordinates are equal
        return _exact_distances(x1.unsqueeze(-2) - x2.unsqueeze(-3), float(p))
    if x1.ndim < 4 and x1.shape[:-2] == x2.shape[:-2]:  # the kernel spreads no batches, and its gradient fails
        return ops.cdist(x1, x2, float(p))
    lead = np.broadcast_shapes(x1.shape[:-2], x2.shape[:-2])  # nor more than one axis of them
    flat = [ops.broadcast_to(x, lead + x.shape[-2:]).reshape(-1, *x.shape[-2:]) for x in (x1, x2)]
    return ops.cdist(flat[0], flat[1], float(p)).reshape(*lead, x1.shape[-2], x2.shape[-2])


def _exact_distances(difference, p):
    """The p-norms along the last axis; no gradient where all of a difference is zero, as torch has it."""
    size = ops.abs(difference)
    if p == 0:
        return (size != 0).astype(size.dtype).sum(-1)
    if p == math.inf:
        return size.amax(-1)
    if p == 1:
        return size.sum(-1)
    apart = ops.stop_gradient((size != 0).any(-1))
    total = ops.where(size == 0, ops.zeros_like(size), ops.pow(ops.where(size == 0, ops.ones_like(size), size), ms.Tensor(p, size.dtype))).sum(-1)
    return ops.where(apart, ops.pow(ops.where(apart, total, ops.ones_like(total)), ms.Tensor(1 / p, size.dtype)), ops.zeros_like(total))


@equivalent("torch.dist", "torch.Tensor.dist", differs=[difference("a complex input gives a complex result, whose imaginary part is 0", when="input.is_complex() or other.is_complex()", zh="复数输入得到复数结果")])
def dist(input, other, p=2):
    """The p-norm of the difference. `ops.dist` takes whole numbers for p and no float64."""
    return norm((input - other).reshape(-1), float(p))


@equivalent("torch.trace", "torch.Tensor.trace")
def trace(input):
    """The sum of the diagonal; int64 for integers."""
    return input.trace()


@equivalent("torch.diag", "torch.Tensor.diag")
def diag(input, diagonal=0, *, out=None):
    """A vector as a diagonal matrix, or a diagonal of a matrix. https://docs.pytorch.org/docs/2.13/generated/torch.diag.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if input.ndim == 1:
        return diag_embed(input, diagonal)
    return ops.diagonal(input, diagonal).copy()


@equivalent("torch.diagonal", "torch.Tensor.diagonal", view=True)
def diagonal(input, offset=0, dim1=0, dim2=1):
    """A diagonal of two axes, put last. https://docs.pytorch.org/docs/2.13/generated/torch.diagonal.html"""
    return ops.diagonal(input, offset, dim1, dim2)


@equivalent("torch.linalg.diagonal", view=True)
def linalg_diagonal(A, *, offset=0, dim1=-2, dim2=-1):
    """A diagonal of the last two axes, put last."""
    return ops.diagonal(A, offset, dim1, dim2)


@equivalent("torch.diag_embed", "torch.Tensor.diag_embed")
def diag_embed(input, offset=0, dim1=-2, dim2=-1):
    """The last axis as a diagonal of two new axes; `ops.diag_embed` takes no booleans and no complex numbers."""
    if str(input.dtype) == "Bool":
        return ops.diag_embed(input.byte(), offset, dim1, dim2).bool()
    if input.is_complex():
        return ops.Complex()(ops.diag_embed(ops.real(input), offset, dim1, dim2), ops.diag_embed(ops.imag(input), offset, dim1, dim2))
    return ops.diag_embed(input, offset, dim1, dim2)


@equivalent("torch.diagflat", "torch.Tensor.diagflat")
def diagflat(input, offset=0):
    """All elements as a diagonal of a matrix."""
    return diag_embed(input.reshape(-1), offset)


@equivalent("torch.tril")
def tril(input, diagonal=0, *, out=None):
    """The lower triangle, zeros above. https://docs.pytorch.org/docs/2.13/generated/torch.tril.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.tril(input, diagonal)


@equivalent("torch.Tensor.tril")
def tensor_tril(self, diagonal=0):
    """The lower triangle, zeros above."""
    return self.tril(diagonal)


@equivalent("torch.triu")
def triu(input, diagonal=0, *, out=None):
    """The upper triangle, zeros below. https://docs.pytorch.org/docs/2.13/generated/torch.triu.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.triu(input, diagonal)


@equivalent("torch.Tensor.triu")
def tensor_triu(self, diagonal=0):
    """The upper triangle, zeros below."""
    return self.triu(diagonal)
