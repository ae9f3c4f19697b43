"""Attention within windows that shift from block to block: of Swin Transformer and of its second version.

Liu et al. 2021 (https://arxiv.org/abs/2103.14030) and 2022 (https://arxiv.org/abs/2111.09883);
https://docs.pytorch.org/vision/0.28/models/swin_transformer.html.
"""

import math

import numpy as np
from mindspore import Parameter, Tensor, nn, ops

from mindport.declare import equivalent, layer
from mindport.equivalents.dropout import dropout as dropped
from mindport.equivalents.initializers import trunc_normal_
from mindport.equivalents.shape import roll
from mindport.layers.activation import ReLU
from mindport.layers.linear import Linear

#: What is added to the logit of two pixels that stand beside each other only since the image was shifted around.
APART = -100.0


def biases_of_pairs(table, index, window_size):
    """The bias of each pair of pixels in a window, (1, heads, area, area), out of a table (places, heads)."""
    area = window_size[0] * window_size[1]
    return ops.expand_dims(ops.permute(ops.reshape(ops.gather(table, index, 0), (area, area, -1)), (2, 0, 1)), 0)


def regions(length, window, shift):
    """Which part of an axis that was shifted around each place belongs to: parts never meet in the image."""
    places = ops.arange(length)
    return (places >= length - window).astype(places.dtype) + (places >= length - shift).astype(places.dtype) if shift else places * 0


def windows(x, window_size):
    """(N, H, W, C) as (N * windows, area, C)."""
    count, height, width, channels = x.shape
    high, wide = window_size
    parts = ops.reshape(x, (count, height // high, high, width // wide, wide, channels))
    return ops.reshape(ops.permute(parts, (0, 1, 3, 2, 4, 5)), (-1, high * wide, channels))


@equivalent("torchvision.models.swin_transformer.shifted_window_attention")
def shifted_window_attention(
    input, qkv_weight, proj_weight, relative_position_bias, window_size, num_heads, shift_size, attention_dropout=0.0, dropout=0.0,
    qkv_bias=None, proj_bias=None, logit_scale=None, training=True,
):
    """Attention of (N, H, W, C) within windows of `window_size`, shifted by `shift_size`; by cosines where there is a `logit_scale`."""
    count, height, width, channels = input.shape
    high, wide = window_size[0], window_size[1]
    below, right = -height % high, -width % wide
    x = ops.pad(input, (0, 0, 0, right, 0, below)) if below + right > 0 else input
    rows, columns = height + below, width + right
    down, along = 0 if high >= rows else shift_size[0], 0 if wide >= columns else shift_size[1]
    shifted = down + along > 0
    if shifted:
        x = roll(x, (-down, -along), (1, 2))
    x = windows(x, (high, wide))
    batch, area = x.shape[0], high * wide
    if logit_scale is not None and qkv_bias is not None:
        qkv_bias = ops.cat((qkv_bias[:channels], ops.zeros_like(qkv_bias[:channels]), qkv_bias[2 * channels :]))
    qkv = ops.matmul(x, ops.transpose(qkv_weight, (1, 0)))
    qkv = qkv if qkv_bias is None else qkv + qkv_bias
    qkv = ops.permute(ops.reshape(qkv, (batch, area, 3, num_heads, channels // num_heads)), (2, 0, 3, 1, 4))
    q, k, v = qkv[0], qkv[1], qkv[2]
    if logit_scale is None:
        logits = ops.matmul(q * (channels // num_heads) ** -0.5, ops.swapaxes(k, -2, -1))
    else:
        q, k = q / ops.clamp(ops.norm(q, dim=-1, keepdim=True), 1e-12), k / ops.clamp(ops.norm(k, dim=-1, keepdim=True), 1e-12)
        logits = ops.matmul(q, ops.swapaxes(k, -2, -1)) * ops.exp(ops.clamp(logit_scale, None, math.log(100.0)))
    logits = logits + relative_position_bias
    if shifted:
        parts = ops.expand_dims(regions(rows, high, down), 1) * 3 + ops.expand_dims(regions(columns, wide, along), 0)
        parts = ops.reshape(windows(ops.reshape(parts, (1, rows, columns, 1)), (high, wide)), (-1, area))
        apart = (ops.expand_dims(parts, 1) != ops.expand_dims(parts, 2)).astype(logits.dtype) * APART
        grouped = ops.reshape(logits, (count, -1, num_heads, area, area)) + ops.expand_dims(apart, 1)
        logits = ops.reshape(grouped, (batch, num_heads, area, area))
    shares = ops.softmax(logits, -1)
    shares = dropped(shares, attention_dropout, training) if attention_dropout > 0 else shares
    x = ops.reshape(ops.swapaxes(ops.matmul(shares, v), 1, 2), (batch, area, channels))
    x = ops.matmul(x, ops.transpose(proj_weight, (1, 0)))
    x = x if proj_bias is None else x + proj_bias
    x = dropped(x, dropout, training) if dropout > 0 else x
    x = ops.reshape(x, (count, rows // high, columns // wide, high, wide, channels))
    x = ops.reshape(ops.permute(x, (0, 1, 3, 2, 4, 5)), (count, rows, columns, channels))
    if shifted:
        x = roll(x, (down, along), (1, 2))
    return x[:, :height, :width] if below + right > 0 else x


def index_of_pairs(high, wide):
    """Of each pair of pixels in a window the place of their distance in a table: int64 (area * area,)."""
    down, along = (axis.reshape(-1) for axis in np.meshgrid(np.arange(high), np.arange(wide), indexing="ij"))
    rows, columns = (axis[:, None] - axis[None, :] for axis in (down, along))
    return ((rows + high - 1) * (2 * wide - 1) + columns + wide - 1).reshape(-1).astype(np.int64)


@layer("torchvision.models.swin_transformer.ShiftedWindowAttention")
class ShiftedWindowAttention(nn.Cell):
    """`shifted_window_attention` with its weights: (N, H, W, dim) keeps its shape."""

    def __init__(self, dim, window_size, shift_size, num_heads, qkv_bias=True, proj_bias=True, attention_dropout=0.0, dropout=0.0):
        super().__init__()
        if len(window_size) != 2 or len(shift_size) != 2:
            raise ValueError("window_size and shift_size must be of length 2")
        self.window_size = window_size
        self.shift_size = shift_size
        self.num_heads = num_heads
        self.attention_dropout = attention_dropout
        self.dropout = dropout
        self.set_train()  # torch's modules begin in training mode; a parent's mode reaches it later
        self.qkv = Linear(dim, dim * 3, bias=qkv_bias)
        self.proj = Linear(dim, dim, bias=proj_bias)
        self.define_relative_position_bias_table()
        self.define_relative_position_index()

    def define_relative_position_bias_table(self):
        places = (2 * self.window_size[0] - 1) * (2 * self.window_size[1] - 1)
        self.relative_position_bias_table = Parameter(ops.zeros((places, self.num_heads)), name="relative_position_bias_table")
        trunc_normal_(self.relative_position_bias_table, std=0.02)

    def define_relative_position_index(self):
        self.register_buffer("relative_position_index", Tensor(index_of_pairs(*self.window_size)))

    def get_relative_position_bias(self):
        return biases_of_pairs(self.relative_position_bias_table, self.relative_position_index, self.window_size)

    def construct(self, x):
        return shifted_window_attention(
            x, self.qkv.weight, self.proj.weight, self.get_relative_position_bias(), self.window_size, self.num_heads, self.shift_size,
            self.attention_dropout, self.dropout, self.qkv.bias, self.proj.bias, None, self.training,
        )


@layer("torchvision.models.swin_transformer.ShiftedWindowAttentionV2")
class ShiftedWindowAttentionV2(ShiftedWindowAttention):
    """Attention by cosines, whose biases a small network computes from distances: (N, H, W, dim) keeps its shape."""

    def __init__(self, dim, window_size, shift_size, num_heads, qkv_bias=True, proj_bias=True, attention_dropout=0.0, dropout=0.0):
        super().__init__(dim, window_size, shift_size, num_heads, qkv_bias, proj_bias, attention_dropout, dropout)
        self.logit_scale = Parameter(ops.log(10 * ops.ones((num_heads, 1, 1))), name="logit_scale")
        self.cpb_mlp = nn.SequentialCell(Linear(2, 512), ReLU(), Linear(512, num_heads, bias=False))
        if qkv_bias:
            start = self.qkv.bias.asnumpy()
            start[dim : 2 * dim] = 0
            self.qkv.bias.set_data(Tensor(start))

    def define_relative_position_bias_table(self):
        high, wide = self.window_size
        down, along = np.arange(1 - high, high, dtype=np.float32), np.arange(1 - wide, wide, dtype=np.float32)
        table = np.stack(np.meshgrid(down / np.float32(high - 1), along / np.float32(wide - 1), indexing="ij"), -1)[None] * np.float32(8)
        self.register_buffer("relative_coords_table", Tensor(np.sign(table) * np.log2(np.abs(table) + np.float32(1)) / np.float32(3)))

    def get_relative_position_bias(self):
        table = ops.reshape(self.cpb_mlp(self.relative_coords_table), (-1, self.num_heads))
        return 16 * ops.sigmoid(biases_of_pairs(table, self.relative_position_index, self.window_size))

    def construct(self, x):
        return shifted_window_attention(
            x, self.qkv.weight, self.proj.weight, self.get_relative_position_bias(), self.window_size, self.num_heads, self.shift_size,
            self.attention_dropout, self.dropout, self.qkv.bias, self.proj.bias, self.logit_scale, self.training,
        )
