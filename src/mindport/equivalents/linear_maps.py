"""Linear maps, embeddings and attention as functions."""

import math

import mindspore as ms
from mindspore import Tensor, ops

from mindport.declare import difference, equivalent
from mindport.equivalents.hidden_rows import softmax_or_nothing
from mindport.equivalents.matrix import vector_norm
from mindport.equivalents.of_nothing import tied
from mindport.equivalents.queries import result_type
from mindport.equivalents.renormalised_rows import renormalise
from mindport.equivalents.row_products import ROWS_BY_COLUMNS, ROWS_BY_ROWS
from mindport.equivalents.shape import common_shape
from mindport.equivalents.softmax import softmax_over


@equivalent("torch.nn.functional.linear")
def linear(input, weight, bias=None):
    """input · weightᵀ + bias. https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.linear.html"""
    return ops.dense(input, weight, bias)


@equivalent("torch.nn.functional.bilinear", "torch.bilinear", opinfo="nn.functional.bilinear", differs=[difference("integers are computed in another dtype", when="not input1.is_floating_point()", zh="整数以其他类型计算")])
def bilinear(input1, input2, weight, bias=None):
    """x₁ᵀ A x₂ + b for each output feature."""
    first = ops.matmul(input1.reshape(-1, 1, 1, input1.shape[-1]), weight)
    result = ops.sum(first.squeeze(-2) * input2.reshape(-1, 1, input2.shape[-1]), dim=-1)
    result = result.reshape(*input1.shape[:-1], weight.shape[0])
    return result if bias is None else result + bias


@equivalent("torch.nn.functional.embedding", drops={"sparse": "the gradient is dense, with the same values"})
def embedding(input, weight, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False):
    """Rows of a table. https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.embedding.html"""
    if padding_idx is None and not scale_grad_by_freq and max_norm is None:
        return ops.gather(weight, input, 0)
    if max_norm is not None and input.size > 0:
        renormalise(weight, input, max_norm, norm_type)
    rows = ops.gather(weight, input, 0)
    if scale_grad_by_freq:
        often = (input.reshape(-1, 1) == input.reshape(1, -1)).astype(weight.dtype).sum(1).reshape(*input.shape, 1)
        rows = rows / often + ops.stop_gradient(rows - rows / often)
    if padding_idx is not None:
        idle = (input == padding_idx % weight.shape[0]).unsqueeze(-1)
        rows = ops.where(idle, ops.stop_gradient(rows), rows)
    return rows


@equivalent("torch.nn.functional.scaled_dot_product_attention", differs=[difference("float64 is scaled by a number of float32", when="scale is None and query.dtype == ms.float64", risk="style", zh="float64 的缩放系数只有 float32 精度"), difference("float16 is less accurate than in torch", when="query.dtype == ms.float16", zh="float16 精度低于 PyTorch")])
def scaled_dot_product_attention(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False):
    """softmax(q kᵀ · scale + mask) v; with enable_gqa each head of key and value serves as many heads of the query in a row.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.scaled_dot_product_attention.html
    """
    if enable_gqa:
        key = ops.repeat_interleave(key, query.shape[-3] // key.shape[-3], -3)
        value = ops.repeat_interleave(value, query.shape[-3] // value.shape[-3], -3)
    factor = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    alike = query.ndim > 2 and query.shape[:-2] == key.shape[:-2] == value.shape[:-2]
    scores = ROWS_BY_ROWS(query * factor, key) if alike else ops.matmul(query * factor, ops.swapaxes(key, -2, -1))
    if is_causal:
        seen = ops.tril(ops.ones((query.shape[-2], key.shape[-2]), ms.float32)) > 0
        scores = ops.where(seen, scores, Tensor(-math.inf, scores.dtype))
    if attn_mask is not None:
        scores = ops.where(attn_mask, scores, Tensor(-math.inf, scores.dtype)) if attn_mask.dtype == ms.bool_ else scores + attn_mask
    weights = softmax_over(scores, -1) if attn_mask is None else softmax_or_nothing(scores, -1)
    if dropout_p > 0:
        weights = ops.dropout(weights, dropout_p, True)
    return ROWS_BY_COLUMNS(weights, value) if alike else ops.matmul(weights, value)


@equivalent("torch.nn.functional.pairwise_distance")
def pairwise_distance(x1, x2, p=2.0, eps=1e-06, keepdim=False):
    """The p-norm of x1 − x2 + eps along the last axis."""
    apart = ops.abs(x1 - x2 + eps)
    return vector_norm(ops.real(apart) if apart.is_complex() else apart, p, -1, keepdim)


@equivalent("torch.nn.functional.cosine_similarity", "torch.cosine_similarity", opinfo="nn.functional.cosine_similarity")
def cosine_similarity(x1, x2, dim=1, eps=1e-08):
    """The cosine between vectors along an axis; each norm is at least eps."""
    common = result_type(x1, x2)
    x1 = x1 if x1.is_floating_point() else x1.astype(common)
    x2 = x2 if x2.is_floating_point() else x2.astype(common)
    if x1.shape != x2.shape:
        shape = common_shape((x1, x2))
        x1, x2 = ops.broadcast_to(x1, shape), ops.broadcast_to(x2, shape)
    first, second = _at_least(vector_norm(x1, 2, dim, True), eps), _at_least(vector_norm(x2, 2, dim, True), eps)
    return ops.sum(x1 / first * (x2 / second), dim=dim)


def _at_least(norm, eps):
    """`norm`, raised to eps; its gradient goes on as if it were not, as in torch. Not maximum, which drops NaN on CPU."""
    return norm + ops.stop_gradient(ops.where(norm < eps, eps - norm, ops.zeros_like(norm)))


@equivalent("torch.nn.functional.pdist", "torch.pdist", opinfo="nn.functional.pdist")
def pdist(input, p=2.0):
    """The p-norm distance of each pair of rows, in the order of the upper triangle.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.pdist.html
    """
    count = input.shape[0]
    if count < 2:
        return tied(ops.zeros((0,), input.dtype), input)
    first = Tensor([i for i in range(count) for _ in range(i + 1, count)], ms.int64)
    second = Tensor([j for i in range(count) for j in range(i + 1, count)], ms.int64)
    if input.shape[1] == 0:
        return tied(ops.zeros(first.shape, input.dtype), input)
    return vector_norm(ops.gather(input, first, 0) - ops.gather(input, second, 0), p, 1)
