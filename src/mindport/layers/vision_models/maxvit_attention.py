"""The layers of MaxViT: an inverted residual, attention within windows, and attention across a grid.

Tu et al. 2022 (https://arxiv.org/abs/2204.01697); https://docs.pytorch.org/vision/0.28/models/maxvit.html.
"""

import math
from collections import OrderedDict

from mindspore import Parameter, Tensor, nn, ops

from mindport.declare import layer
from mindport.equivalents.initializers import trunc_normal_
from mindport.layers.activation import SiLU
from mindport.layers.convolution import Conv2d
from mindport.layers.dropout import Dropout
from mindport.layers.linear import Identity, Linear
from mindport.layers.norm_activation import Conv2dNormActivation, SqueezeExcitation
from mindport.layers.normalization import LayerNorm
from mindport.layers.pooling import AvgPool2d
from mindport.layers.region_pooling import StochasticDepth
from mindport.layers.vision_models.swin_attention import biases_of_pairs, index_of_pairs


@layer("torchvision.models.maxvit.MBConv")
class MBConv(nn.Cell):
    """A convolution of each channel between two of 1x1, beside a shortcut: (N, in_channels, H, W) becomes (N, out_channels, H/stride, W/stride)."""

    def __init__(
        self, in_channels, out_channels, expansion_ratio, squeeze_ratio, stride, activation_layer, norm_layer, p_stochastic_dropout=0.0,
    ):
        super().__init__()
        self.proj = Identity()
        if stride != 1 or in_channels != out_channels:
            smaller = [AvgPool2d(3, stride, 1)] if stride == 2 else []
            self.proj = nn.SequentialCell(*smaller, Conv2d(in_channels, out_channels, 1))
        self.stochastic_depth = StochasticDepth(p_stochastic_dropout, mode="row") if p_stochastic_dropout else Identity()
        middle = int(out_channels * expansion_ratio)
        made = {"activation_layer": activation_layer, "norm_layer": norm_layer, "inplace": None}
        self.layers = nn.SequentialCell(
            OrderedDict(
                pre_norm=norm_layer(in_channels),
                conv_a=Conv2dNormActivation(in_channels, middle, 1, 1, 0, **made),
                conv_b=Conv2dNormActivation(middle, middle, 3, stride, 1, groups=middle, **made),
                squeeze_excitation=SqueezeExcitation(middle, int(out_channels * squeeze_ratio), activation=SiLU),
                conv_c=Conv2d(middle, out_channels, 1),
            )
        )

    def construct(self, x):
        return self.proj(x) + self.stochastic_depth(self.layers(x))


@layer("torchvision.models.maxvit.RelativePositionalMultiHeadAttention")
class RelativePositionalMultiHeadAttention(nn.Cell):
    """Attention within each of G windows of P pixels, with a bias for each distance: (N, G, P, feat_dim) keeps its shape."""

    def __init__(self, feat_dim, head_dim, max_seq_len):
        super().__init__()
        if feat_dim % head_dim != 0:
            raise ValueError(f"feat_dim: {feat_dim} must be divisible by head_dim: {head_dim}")
        self.n_heads = feat_dim // head_dim
        self.head_dim = head_dim
        self.size = int(math.sqrt(max_seq_len))
        self.max_seq_len = max_seq_len
        self.to_qkv = Linear(feat_dim, feat_dim * 3)
        self.scale_factor = feat_dim**-0.5
        self.merge = Linear(feat_dim, feat_dim)
        places = (2 * self.size - 1) ** 2
        self.relative_position_bias_table = Parameter(ops.zeros((places, self.n_heads)), name="relative_position_bias_table")
        self.register_buffer(
            "relative_position_index", Tensor(index_of_pairs(self.size, self.size).reshape(self.size**2, self.size**2))
        )
        trunc_normal_(self.relative_position_bias_table, std=0.02)

    def get_relative_positional_bias(self):
        return biases_of_pairs(self.relative_position_bias_table, ops.reshape(self.relative_position_index, (-1,)), (self.size, self.size))

    def construct(self, x):
        count, groups, places, width = x.shape
        qkv = ops.reshape(self.to_qkv(x), (count, groups, places, 3, self.n_heads, self.head_dim))
        qkv = ops.permute(qkv, (3, 0, 1, 4, 2, 5))
        logits = ops.matmul(qkv[0], ops.swapaxes(qkv[1] * self.scale_factor, -2, -1)) + self.get_relative_positional_bias()
        mixed = ops.permute(ops.matmul(ops.softmax(logits, -1), qkv[2]), (0, 1, 3, 2, 4))
        return self.merge(ops.reshape(mixed, (count, groups, places, width)))


@layer("torchvision.models.maxvit.SwapAxes")
class SwapAxes(nn.Cell):
    """Two axes exchanged."""

    def __init__(self, a, b):
        super().__init__()
        self.a = a
        self.b = b

    def construct(self, x):
        return ops.swapaxes(x, self.a, self.b)


@layer("torchvision.models.maxvit.WindowPartition")
class WindowPartition(nn.Cell):
    """An image in squares: (N, C, H, W) becomes (N, H/p * W/p, p * p, C)."""

    def construct(self, x, p):
        count, channels, height, width = x.shape
        squares = ops.permute(ops.reshape(x, (count, channels, height // p, p, width // p, p)), (0, 2, 4, 3, 5, 1))
        return ops.reshape(squares, (count, (height // p) * (width // p), p * p, channels))


@layer("torchvision.models.maxvit.WindowDepartition")
class WindowDepartition(nn.Cell):
    """Squares as an image: (N, h_partitions * w_partitions, p * p, C) becomes (N, C, h_partitions * p, w_partitions * p)."""

    def construct(self, x, p, h_partitions, w_partitions):
        count, _, _, channels = x.shape
        squares = ops.permute(ops.reshape(x, (count, h_partitions, w_partitions, p, p, channels)), (0, 5, 1, 3, 2, 4))
        return ops.reshape(squares, (count, channels, h_partitions * p, w_partitions * p))


@layer("torchvision.models.maxvit.PartitionAttentionLayer")
class PartitionAttentionLayer(nn.Cell):
    """Attention within the squares of an image ("window") or among pixels that stand at the same place of all squares ("grid"): (N, C, H, W) keeps its shape."""

    def __init__(
        self, in_channels, head_dim, partition_size, partition_type, grid_size, mlp_ratio, activation_layer, norm_layer,
        attention_dropout, mlp_dropout, p_stochastic_dropout,
    ):
        super().__init__()
        self.n_heads = in_channels // head_dim
        self.head_dim = head_dim
        self.n_partitions = grid_size[0] // partition_size
        self.partition_type = partition_type
        self.grid_size = grid_size
        if partition_type not in ("grid", "window"):
            raise ValueError("partition_type must be either 'grid' or 'window'")
        across = partition_type == "grid"
        self.p, self.g = (self.n_partitions, partition_size) if across else (partition_size, self.n_partitions)
        self.partition_op = WindowPartition()
        self.departition_op = WindowDepartition()
        self.partition_swap = SwapAxes(-2, -3) if across else Identity()
        self.departition_swap = SwapAxes(-2, -3) if across else Identity()
        self.attn_layer = nn.SequentialCell(
            norm_layer(in_channels), RelativePositionalMultiHeadAttention(in_channels, head_dim, partition_size**2), Dropout(attention_dropout)
        )
        self.mlp_layer = nn.SequentialCell(
            LayerNorm(in_channels), Linear(in_channels, in_channels * mlp_ratio), activation_layer(),
            Linear(in_channels * mlp_ratio, in_channels), Dropout(mlp_dropout),
        )
        self.stochastic_dropout = StochasticDepth(p_stochastic_dropout, mode="row")

    def construct(self, x):
        if self.grid_size[0] % self.p != 0 or self.grid_size[1] % self.p != 0:
            raise AssertionError(
                f"Grid size must be divisible by partition size. Got grid size of {self.grid_size} and partition size of {self.p}"
            )
        x = self.partition_swap(self.partition_op(x, self.p))
        x = x + self.stochastic_dropout(self.attn_layer(x))
        x = x + self.stochastic_dropout(self.mlp_layer(x))
        return self.departition_op(self.departition_swap(x), self.p, self.grid_size[0] // self.p, self.grid_size[1] // self.p)
