"""Multi-head attention as a function of its weights."""

import math

import mindspore as ms
from mindspore import Tensor, ops

from mindport.declare import Refused, difference, equivalent
from mindport.equivalents.hidden_rows import softmax_of_rows, softmax_or_nothing
from mindport.equivalents.row_products import ROWS_BY_ROWS
from mindport.equivalents.softmax import softmax_over


def _additive(mask, dtype):
    """-inf where a boolean mask is True."""
    if mask is None or mask.dtype != ms.bool_:
        return mask
    return ops.where(mask, Tensor(-math.inf, dtype), Tensor(0, dtype))


def _wider(mask):
    """One more key, which the mask shows."""
    return None if mask is None else ops.cat((mask, ops.zeros((*mask.shape[:-1], 1), mask.dtype)), axis=-1)


@equivalent(
    "torch.nn.functional.multi_head_attention_forward", drops={"is_causal": "it only promises that attn_mask is causal"},
    differs=[difference("the gradient of the key's bias, which is 0 but for rounding, is rounded otherwise", when="in_proj_bias is not None", risk="style", zh="键偏置的梯度（理论为零）舍入不同")],
)
def multi_head_attention_forward(
    query, key, value, embed_dim_to_check, num_heads, in_proj_weight, in_proj_bias, bias_k, bias_v, add_zero_attn, dropout_p,
    out_proj_weight, out_proj_bias, training=True, key_padding_mask=None, need_weights=True, attn_mask=None,
    use_separate_proj_weight=False, q_proj_weight=None, k_proj_weight=None, v_proj_weight=None, static_k=None, static_v=None,
    average_attn_weights=True, is_causal=False,
):
    """(output, weights or None) of attention in several heads over (length, batch, width) or (length, width).

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.multi_head_attention_forward.html
    """
    if static_k is not None or static_v is not None:
        raise Refused("static_k and static_v are not supported: compute the attention with scaled_dot_product_attention")
    if query.shape[-1] != embed_dim_to_check:
        raise ValueError(f"expecting a width of {embed_dim_to_check}, but got {query.shape[-1]}")
    batched = query.ndim == 3
    if not batched:
        query, key, value = query.unsqueeze(1), key.unsqueeze(1), value.unsqueeze(1)
        key_padding_mask = None if key_padding_mask is None else key_padding_mask.unsqueeze(0)
    width = query.shape[-1]
    weights = (q_proj_weight, k_proj_weight, v_proj_weight)
    if not use_separate_proj_weight:
        weights = (in_proj_weight[:width], in_proj_weight[width : 2 * width], in_proj_weight[2 * width :])
    biases = (None, None, None)
    if in_proj_bias is not None:
        biases = (in_proj_bias[:width], in_proj_bias[width : 2 * width], in_proj_bias[2 * width :])
    q, k, v = (ops.dense(x, w, b) for x, w, b in zip((query, key, value), weights, biases))
    length, batch = q.shape[0], q.shape[1]
    mask, padding = _additive(attn_mask, q.dtype), _additive(key_padding_mask, q.dtype)
    if bias_k is not None:
        one = (1, batch, width)
        k = ops.cat((k, ops.broadcast_to(bias_k.reshape(1, 1, -1), one)))
        v = ops.cat((v, ops.broadcast_to(bias_v.reshape(1, 1, -1), one)))
        mask, padding = _wider(mask), _wider(padding)
    if add_zero_attn:
        zero = ops.zeros((1, batch, width), q.dtype)
        k, v = ops.cat((k, zero)), ops.cat((v, zero))
        mask, padding = _wider(mask), _wider(padding)
    depth, total = width // num_heads, batch * num_heads
    q, k, v = (x.reshape(-1, total, depth).swapaxes(0, 1) for x in (q, k, v))
    scores = ROWS_BY_ROWS(q * math.sqrt(1.0 / depth), k)
    if mask is not None:
        scores = scores + mask
    if padding is not None:
        scores = (scores.reshape(batch, num_heads, length, -1) + padding.reshape(batch, 1, 1, -1)).reshape(total, length, -1)
    masked = mask is not None or padding is not None
    shares = softmax_over(scores, -1) if not masked else softmax_of_rows(scores, -1) if need_weights else softmax_or_nothing(scores, -1)
    if training and dropout_p > 0:
        shares = ops.dropout(shares, p=dropout_p, training=True)
    heads = ops.bmm(shares, v).swapaxes(0, 1).reshape(length, batch, width)
    output = ops.dense(heads, out_proj_weight, out_proj_bias)
    output = output if batched else output.squeeze(1)
    if not need_weights:
        return output, None
    found = shares.reshape(batch, num_heads, length, -1)
    found = found.mean(1) if average_attn_weights else found
    return output, found if batched else found.squeeze(0)
