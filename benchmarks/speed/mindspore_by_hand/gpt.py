"""A small GPT, written for MindSpore."""

import mindspore as ms
import mindspore.nn as nn
import mindspore.ops as ops
import numpy as np
from mindspore import Tensor


class CausalSelfAttention(nn.Cell):
    """Each position sees itself and what stands before it."""

    def __init__(self, width, heads, block):
        super().__init__()
        self.heads = heads
        self.scale = (width // heads) ** -0.5
        self.qkv = nn.Dense(width, 3 * width)
        self.proj = nn.Dense(width, width)
        self.hidden = Tensor(np.triu(np.ones((1, 1, block, block), bool), 1))
        self.lowest = Tensor(-np.inf, ms.float32)

    def construct(self, x):
        batch, length, width = x.shape
        qkv = self.qkv(x).reshape(batch, length, 3, self.heads, width // self.heads).transpose(2, 0, 3, 1, 4)
        q, k, v = ops.unbind(qkv, 0)
        scores = ops.matmul(q, k.swapaxes(-2, -1)) * self.scale
        scores = ops.masked_fill(scores, self.hidden[:, :, :length, :length], self.lowest)
        y = ops.matmul(ops.softmax(scores, -1), v)
        return self.proj(y.swapaxes(1, 2).reshape(batch, length, width))


class Block(nn.Cell):
    """Attention and two dense layers, each beside a shortcut."""

    def __init__(self, width, heads, block):
        super().__init__()
        self.ln1 = nn.LayerNorm((width,), epsilon=1e-5)
        self.attention = CausalSelfAttention(width, heads, block)
        self.ln2 = nn.LayerNorm((width,), epsilon=1e-5)
        self.fc1 = nn.Dense(width, 4 * width)
        self.gelu = nn.GELU(approximate=False)
        self.fc2 = nn.Dense(4 * width, width)

    def construct(self, x):
        x = x + self.attention(self.ln1(x))
        return x + self.fc2(self.gelu(self.fc1(self.ln2(x))))


class GPT(nn.Cell):
    """Tokens to scores of the next token."""

    def __init__(self, vocabulary=65, width=64, heads=4, layers=4, block=64):
        super().__init__()
        self.tokens = nn.Embedding(vocabulary, width)
        self.positions = nn.Embedding(block, width)
        self.blocks = nn.SequentialCell([Block(width, heads, block) for _ in range(layers)])
        self.norm = nn.LayerNorm((width,), epsilon=1e-5)
        self.head = nn.Dense(width, vocabulary, has_bias=False)

    def construct(self, ids):
        length = ids.shape[1]
        x = self.tokens(ids) + self.positions(ops.arange(length))
        x = self.head(self.norm(self.blocks(x)))
        return x.reshape(-1, x.shape[-1])
