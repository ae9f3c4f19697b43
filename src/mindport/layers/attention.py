"""Multi-head attention."""

import math

import mindspore as ms
from mindspore import Tensor, nn, ops
from mindspore.common.initializer import initializer

from mindport.declare import Refused, difference, layer
from mindport.equivalents.hidden_rows import softmax_of_rows, softmax_or_nothing
from mindport.equivalents.row_products import ROWS_BY_ROWS
from mindport.equivalents.softmax import softmax_over

DEVICE = {"device": "MindSpore places every parameter on the device of the context"}
NOT_FINITE = difference("NaN or infinity in the input gives other weights on CPU", when="inputs and not (ms.isfinite(inputs[0]).all() and (len(inputs) < 2 or ms.isfinite(inputs[1]).all()) and (len(inputs) < 3 or ms.isfinite(inputs[2]).all()))", zh="输入含 NaN 或无穷时结果不同")
EMPTY = difference("an empty input gives unspecified values", when="inputs and (inputs[0].numel() == 0 or len(inputs) > 1 and inputs[1].numel() == 0 or len(inputs) > 2 and inputs[2].numel() == 0)", zh="空输入的结果不确定")


def additive(mask, dtype):
    """A mask that is added to scores: -inf where a boolean mask is True."""
    if mask is None or mask.dtype != ms.bool_:
        return mask
    return ops.zeros(mask.shape, dtype).masked_fill(mask, Tensor(-math.inf, dtype))


@layer("torch.nn.MultiheadAttention", drops=DEVICE, attributes={"bias": "has_bias"}, differs=[NOT_FINITE, EMPTY])
class MultiheadAttention(nn.MultiheadAttention):
    """softmax(Q K^T / sqrt(d)) V in several heads: (output, weights or None).

    `nn.MultiheadAttention` gives a tuple of one without weights, where torch gives None beside the output.
    https://docs.pytorch.org/docs/2.13/generated/torch.nn.MultiheadAttention.html
    """

    def __init__(
        self, embed_dim, num_heads, dropout=0.0, bias=True, add_bias_kv=False, add_zero_attn=False, kdim=None,
        vdim=None, batch_first=False, device=None, dtype=None,
    ):
        if dtype is not None and dtype != ms.float32:
            raise Refused("dtype other than float32: build the layer in float32 and call to_float() on it")
        super().__init__(
            int(embed_dim), int(num_heads), dropout, has_bias=bool(bias), add_bias_kv=bool(add_bias_kv), add_zero_attn=bool(add_zero_attn),
            kdim=kdim, vdim=vdim, batch_first=batch_first,
        )
        if bias:
            self.out_proj.bias.set_data(initializer("zeros", (embed_dim,), ms.float32))

    def __call__(self, *args, **kwargs):
        return nn.Cell.__call__(self, *args, **kwargs)  # MindSpore's own asks for query, key and value by position

    def construct(
        self, query, key=None, value=None, key_padding_mask=None, need_weights=True, attn_mask=None,
        average_attn_weights=True, is_causal=False,
    ):
        # is_causal only promises that attn_mask is causal. Without key and value both are the query: one product then
        # projects all three, and a graph cannot ask whether two tensors are one.
        batched = query.ndim == 3
        if not batched:
            query = query.expand_dims(0)
            if key is not None:
                key, value = key.expand_dims(0), value.expand_dims(0)
            if key_padding_mask is not None:
                key_padding_mask = key_padding_mask.expand_dims(0)
        batch_first = self.batch_first or not batched
        length, batch, width = query.shape
        if batch_first:
            batch, length = length, batch
        q, k, v = self._projected(query, batch_first) if key is None else self._projected_apart(query, key, value, batch_first)
        mask, padding = additive(attn_mask, q.dtype), additive(key_padding_mask, q.dtype)
        heads = batch * self.num_heads
        if self.bias_k is not None:
            k = ops.cat((k, ops.tile(self.bias_k.reshape((self.num_heads, 1, self.head_dim)), (batch, 1, 1))), 1)
            v = ops.cat((v, ops.tile(self.bias_v.reshape((self.num_heads, 1, self.head_dim)), (batch, 1, 1))), 1)
            mask, padding = self._widened(mask), self._widened(padding)
        if self.add_zero_attn:
            k = ops.cat((k, ops.zeros((heads, 1, self.head_dim), k.dtype)), 1)
            v = ops.cat((v, ops.zeros((heads, 1, self.head_dim), v.dtype)), 1)
            mask, padding = self._widened(mask), self._widened(padding)
        scores = ROWS_BY_ROWS(q * math.sqrt(1.0 / self.head_dim), k)
        if mask is not None:
            scores = scores + mask
        if padding is not None:
            by_batch = scores.reshape((batch, self.num_heads, length, -1)) + padding.reshape((batch, 1, 1, -1))
            scores = by_batch.reshape(scores.shape)
        masked = mask is not None or padding is not None
        weights = softmax_over(scores, -1) if not masked else softmax_of_rows(scores, -1) if need_weights else softmax_or_nothing(scores, -1)
        if self.training and self.dropout > 0:
            weights = ops.dropout(weights, self.dropout)
        output = ops.bmm(weights, v)
        if batch_first:
            output = output.reshape((batch, self.num_heads, length, self.head_dim)).swapaxes(1, 2).reshape((batch, length, width))
        else:
            output = output.swapaxes(0, 1).reshape((length, batch, width))
        output = self.out_proj(output)
        if not batched:
            output = output.squeeze(0)
        if not need_weights:
            return output, None
        weights = weights.reshape((batch, self.num_heads, length, -1))
        if average_attn_weights:
            weights = ops.mean(weights, 1)
        return output, weights if batched else weights.squeeze(0)

    def _projected(self, x, batch_first):
        """Query, key and value of one tensor, each of shape (batch * heads, length, width of a head)."""
        first, second, width = x.shape
        all_three = ops.dense(x, self.in_proj_weight, self.in_proj_bias)
        all_three = all_three.reshape((first, second, 3, self.num_heads, self.head_dim))
        batch, length = (first, second) if batch_first else (second, first)
        order = (2, 0, 3, 1, 4) if batch_first else (2, 1, 3, 0, 4)
        parts = all_three.transpose(order).reshape((3, batch * self.num_heads, length, self.head_dim))
        return ops.unbind(parts, 0)

    def _projected_apart(self, query, key, value, batch_first):
        """The same of three tensors."""
        biases = (None, None, None) if self.in_proj_bias is None else ops.chunk(self.in_proj_bias, 3)
        if self.in_proj_weight is None:
            weights = (self.q_proj_weight, self.k_proj_weight, self.v_proj_weight)
        else:
            weights = ops.chunk(self.in_proj_weight, 3)
        inputs = (query, key, value)
        projected = ()
        for index in range(3):
            projected += (self._by_head(ops.dense(inputs[index], weights[index], biases[index]), batch_first),)
        return projected

    def _by_head(self, x, batch_first):
        """(batch * heads, length, width of a head)."""
        first, second, width = x.shape
        if batch_first:
            return x.reshape((first, second, self.num_heads, self.head_dim)).swapaxes(1, 2).reshape((first * self.num_heads, second, self.head_dim))
        return x.reshape((first, second * self.num_heads, self.head_dim)).swapaxes(0, 1)

    def _widened(self, mask):
        if mask is None:
            return None
        return ops.cat((mask, ops.zeros(mask.shape[:-1] + (1,), mask.dtype)), -1)
