"""A small vision transformer, written for MindSpore."""

import mindspore as ms
import mindspore.nn as nn
import mindspore.ops as ops
from mindspore import Parameter
from mindspore.common.initializer import initializer


class Attention(nn.Cell):
    """Every patch sees every patch."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.scale = (width // heads) ** -0.5
        self.qkv = nn.Dense(width, 3 * width)
        self.proj = nn.Dense(width, width)

    def construct(self, x):
        batch, length, width = x.shape
        qkv = self.qkv(x).reshape(batch, length, 3, self.heads, width // self.heads).transpose(2, 0, 3, 1, 4)
        q, k, v = ops.unbind(qkv, 0)
        scores = ops.softmax(ops.matmul(q * self.scale, k.swapaxes(-2, -1)), -1)
        return self.proj(ops.matmul(scores, v).swapaxes(1, 2).reshape(batch, length, width))


class Block(nn.Cell):
    """Attention and two dense layers, each beside a shortcut."""

    def __init__(self, width, heads):
        super().__init__()
        self.attention = Attention(width, heads)
        self.fc1 = nn.Dense(width, 4 * width)
        self.fc2 = nn.Dense(4 * width, width)
        self.norm1 = nn.LayerNorm((width,), epsilon=1e-5)
        self.norm2 = nn.LayerNorm((width,), epsilon=1e-5)
        self.gelu = nn.GELU(approximate=False)

    def construct(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.fc2(self.gelu(self.fc1(self.norm2(x))))


class ViT(nn.Cell):
    """Patches, blocks, and the class token's score."""

    def __init__(self, image=32, patch=8, width=64, depth=4, heads=4, classes=10):
        super().__init__()
        self.cls = Parameter(initializer("zeros", (1, 1, width), ms.float32))
        self.pos = Parameter(initializer("normal", (1, (image // patch) ** 2 + 1, width), ms.float32))
        self.patch = nn.Conv2d(3, width, patch, stride=patch, pad_mode="valid", has_bias=True)
        self.blocks = nn.SequentialCell([Block(width, heads) for _ in range(depth)])
        self.norm = nn.LayerNorm((width,), epsilon=1e-5)
        self.head = nn.Dense(width, classes)

    def construct(self, x):
        x = self.patch(x)
        x = x.reshape(x.shape[0], x.shape[1], -1).swapaxes(1, 2)
        cls = ops.broadcast_to(self.cls, (x.shape[0], -1, -1))
        x = self.blocks(ops.cat((cls, x), 1) + self.pos)
        return self.head(self.norm(x[:, 0]))
