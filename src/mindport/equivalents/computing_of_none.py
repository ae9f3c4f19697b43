"""Sums, products of matrices and layers where the run may bring no elements (``expert(tokens[mask])``), as torch computes them.

MindSpore's CPU leaves the results of several kernels unwritten there, silently: the sum of nothing is what lay in memory, and so is the
gradient that a linear layer's weight gets of no rows. Layer normalisation and the gradient of an embedding raise. No torch name.
Measured: docs/differences/functions.md. What an operation gives of some elements is not touched.
"""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops

from mindport.equivalents.counted_reductions import NOT_A_NUMBER, of_nothing, reduced_of_nothing
from mindport.equivalents.indexing_steps import index_through
from mindport.equivalents.of_nothing import tied
from mindport.equivalents.parts_of_none import compute_parts_of_none
from mindport.equivalents.rows_of_none import compute_without_rows


def product_of_none(input, other):
    """The product of two matrices (or batches of them, or vectors), one of which has no elements: zeros, if anything."""
    rows = input.shape[:-1] if input.ndim > 1 else ()
    columns = other.shape[-1:] if other.ndim > 1 else ()
    if other.ndim > 2:
        rows = tuple(np.broadcast_shapes(rows[:-1], other.shape[:-2])) + rows[-1:]
    return tied(ops.zeros(rows + columns, input.dtype), input, other)


def layer_of_none(made, input, cell, names):
    """`made`, from where gradients of zeros reach the input and a cell's parameters."""
    return tied(made, input, *[getattr(cell, name) for name in names if getattr(cell, name, None) is not None])


def method_of_none(plain, value):
    """A reduction as a method: `value` of nothing."""

    def reduced(self, *args, **kwargs):
        result = plain(self, *args, **kwargs)
        return result if self.size > 0 else of_nothing(result, self, value)

    return reduced


def get_none(tensor, index, plain):
    """``tensor[index]`` of no elements (``x[:0]``, ``scores[found]`` where nothing was found): the gradients of MindSpore's slices and picks raise."""
    made = plain(tensor, index)
    return tied(ops.stop_gradient(made), tensor) if made.size == 0 and tensor.size > 0 else made


def put_none(tensor, index, value, plain):
    """``tensor[index] = value`` of no elements: what gave the value is still reached by gradients, zeros, where MindSpore's is None; an index tensor of none raises there by itself."""
    if tensor.size == 0:  # nothing to write into: of some such the kernel fails ("memcpy_s error")
        return tensor
    if isinstance(index, Tensor) and index.size == 0:
        written = plain(tensor, ops.zeros(tensor.shape[:1], dtype=ms.bool_), 0)
    else:
        written = plain(tensor, index, value)
    if isinstance(value, Tensor) and value.size == 0 and tensor.size > 0 and value.is_floating_point():
        return plain(tensor, (), tied(tensor * 1, value))
    return written


def compute_of_none():
    """Has MindSpore's functions, methods and layers compute of nothing what torch does."""
    if hasattr(nn.Dense, "of_elements"):  # another converted project did it
        return True
    _reduce_nothing()
    _multiply_nothing()
    _lose_nothing()
    _call_layers_on_nothing()
    compute_without_rows()
    compute_parts_of_none()
    return index_through("none", get_none, put_none)


def _reduce_nothing():
    plain_sum, plain_mean, plain_prod, plain_nansum = ops.sum, ops.mean, ops.prod, ops.nansum

    # explicit parameters, here and below: graphs compile these functions, too
    def sum(input, dim=None, keepdim=False, *, dtype=None):
        result = plain_sum(input, dim, keepdim, dtype=dtype)
        return of_nothing(result, input, 0)

    def mean(x, axis=None, keep_dims=False):
        return of_nothing(plain_mean(x, axis, keep_dims), x, NOT_A_NUMBER)

    def prod(input, axis=None, keep_dims=False, dtype=None):
        return of_nothing(plain_prod(input, axis, keep_dims, dtype=dtype), input, 1)

    def nansum(input, axis=None, keepdims=False, *, dtype=None):
        return of_nothing(plain_nansum(input, axis, keepdims, dtype=dtype), input, 0)

    ops.sum, ops.mean, ops.prod, ops.nansum = sum, mean, prod, nansum
    for name, value in (("sum", 0), ("mean", NOT_A_NUMBER), ("prod", 1), ("nansum", 0)):
        setattr(Tensor, name, method_of_none(getattr(Tensor, name), value))


def _multiply_nothing():
    plain_mm, plain_bmm, plain_matmul, plain_operator, plain_method = ops.mm, ops.bmm, ops.matmul, Tensor.__matmul__, Tensor.matmul
    plain_addmm, plain_dense, plain_mv, plain_baddbmm = ops.addmm, ops.dense, ops.mv, ops.baddbmm

    def mm(input, mat2):
        return product_of_none(input, mat2) if input.size == 0 or mat2.size == 0 else plain_mm(input, mat2)

    def bmm(input_x, mat2):
        return product_of_none(input_x, mat2) if input_x.size == 0 or mat2.size == 0 else plain_bmm(input_x, mat2)

    def matmul(input, other):
        return product_of_none(input, other) if input.size == 0 or other.size == 0 else plain_matmul(input, other)

    def addmm(input, mat1, mat2, *, beta=1, alpha=1):
        if mat1.size == 0 or mat2.size == 0:
            return beta * input + product_of_none(mat1, mat2)
        return plain_addmm(input, mat1, mat2, beta=beta, alpha=alpha)

    def dense(input, weight, bias=None):
        if input.size > 0 and weight.size > 0:
            return plain_dense(input, weight, bias)
        made = product_of_none(input, weight.T)
        return made if bias is None else made + bias

    def operated(self, other):
        return matmul(self, other) if isinstance(other, Tensor) and (self.size == 0 or other.size == 0) else plain_operator(self, other)

    def called(self, tensor2):
        return product_of_none(self, tensor2) if self.size == 0 or tensor2.size == 0 else plain_method(self, tensor2)

    def mv(mat, vec):
        return product_of_none(mat, vec) if mat.size == 0 or vec.size == 0 else plain_mv(mat, vec)

    def baddbmm(input, batch1, batch2, beta=1, alpha=1):
        if batch1.size == 0 or batch2.size == 0:
            return beta * input + product_of_none(batch1, batch2)
        return plain_baddbmm(input, batch1, batch2, beta=beta, alpha=alpha)

    ops.mm, ops.bmm, ops.matmul, ops.addmm, ops.dense, ops.mv, ops.baddbmm = mm, bmm, matmul, addmm, dense, mv, baddbmm
    Tensor.__matmul__, Tensor.matmul, Tensor.bmm = operated, called, bmm


def _lose_nothing():
    plain_l1, plain_mse, plain_huber, plain_cross_entropy = ops.l1_loss, ops.mse_loss, ops.huber_loss, ops.binary_cross_entropy

    def l1_loss(input, target, reduction="mean"):
        return reduced_of_nothing(plain_l1(input, target, reduction), input, reduction)

    def mse_loss(input, target, reduction="mean"):
        return reduced_of_nothing(plain_mse(input, target, reduction), input, reduction)

    def huber_loss(input, target, reduction="mean", delta=1.0):
        return reduced_of_nothing(plain_huber(input, target, reduction, delta), input, reduction)

    def binary_cross_entropy(logits, labels, weight=None, reduction="mean"):
        return reduced_of_nothing(plain_cross_entropy(logits, labels, weight, reduction), logits, reduction)

    def construct(self, input, target):
        return reduced_of_nothing(self.of_elements(input, target), input, self.reduction)

    ops.l1_loss, ops.mse_loss, ops.huber_loss, ops.binary_cross_entropy = l1_loss, mse_loss, huber_loss, binary_cross_entropy
    nn.HuberLoss.of_elements, nn.HuberLoss.construct = nn.HuberLoss.construct, construct

    def get_loss(self, x, weights=1.0):
        result = self.loss_of_elements(x, weights)
        if x.size > 0 or not self.reduce:
            return result
        return of_nothing(result, x, NOT_A_NUMBER if self.average else 0)

    nn.LossBase.loss_of_elements, nn.LossBase.get_loss = nn.LossBase.get_loss, get_loss


def _call_layers_on_nothing():
    def of_rows(self, x):
        if x.size == 0:
            return layer_of_none(ops.zeros(x.shape[:-1] + self.weight.shape[:1], x.dtype), x, self, ("weight", "bias"))
        return self.of_elements(x)

    def normalised(self, input_x):
        if input_x.size == 0:
            return layer_of_none(input_x * 1, input_x, self, ("gamma", "beta"))
        return self.of_elements(input_x)

    def looked_up(self, ids):
        if ids.size == 0:
            return layer_of_none(ops.zeros(ids.shape + (self.embedding_size,), self.embedding_table.dtype), ids, self, ("embedding_table",))
        return self.of_elements(ids)

    for kind, construct in ((nn.Dense, of_rows), (nn.LayerNorm, normalised), (nn.Embedding, looked_up)):
        kind.of_elements, kind.construct = kind.construct, construct


COMPUTES_OF_NONE = compute_of_none()
