"""Swin Transformer and its second version, with torchvision's names of modules.

Liu et al. 2021 (https://arxiv.org/abs/2103.14030) and 2022 (https://arxiv.org/abs/2111.09883);
https://docs.pytorch.org/vision/0.28/models/swin_transformer.html. Between its layers images are (N, H, W, C).
"""

from functools import partial

from mindspore import nn, ops

from mindport.declare import layer
from mindport.equivalents.initializers import normal_, trunc_normal_, xavier_uniform_, zeros_
from mindport.layers.activation import GELU
from mindport.layers.adaptive_pooling import AdaptiveAvgPool2d
from mindport.layers.convolution import Conv2d
from mindport.layers.linear import Linear
from mindport.layers.norm_activation import MLP
from mindport.layers.normalization import LayerNorm
from mindport.layers.region_pooling import Permute, StochasticDepth
from mindport.layers.resampling import Flatten
from mindport.layers.vision_models.swin_attention import ShiftedWindowAttention, ShiftedWindowAttentionV2


def four_as_one(x):
    """Squares of four pixels as one: (…, H, W, C) becomes (…, H/2, W/2, 4 C), with zeros below and to the right of odd sizes."""
    height, width, channels = x.shape[-3], x.shape[-2], x.shape[-1]
    if height % 2 + width % 2 > 0:
        x = ops.pad(x, (0, 0, 0, width % 2, 0, height % 2))
    rows, columns = (height + 1) // 2, (width + 1) // 2
    squares = ops.permute(ops.reshape(x, (-1, rows, 2, columns, 2, channels)), (0, 1, 3, 4, 2, 5))
    return ops.reshape(squares, (*x.shape[:-3], rows, columns, 4 * channels))


@layer("torchvision.models.swin_transformer.PatchMerging")
class PatchMerging(nn.Cell):
    """Half of the size, normalised before it is mixed: (…, H, W, dim) becomes (…, H/2, W/2, 2 dim)."""

    def __init__(self, dim, norm_layer=LayerNorm):
        super().__init__()
        self.dim = dim
        self.reduction = Linear(4 * dim, 2 * dim, bias=False)
        self.norm = norm_layer(4 * dim)

    def construct(self, x):
        return self.reduction(self.norm(four_as_one(x)))


@layer("torchvision.models.swin_transformer.PatchMergingV2")
class PatchMergingV2(nn.Cell):
    """Half of the size, normalised after it was mixed: (…, H, W, dim) becomes (…, H/2, W/2, 2 dim)."""

    def __init__(self, dim, norm_layer=LayerNorm):
        super().__init__()
        self.dim = dim
        self.reduction = Linear(4 * dim, 2 * dim, bias=False)
        self.norm = norm_layer(2 * dim)

    def construct(self, x):
        return self.norm(self.reduction(four_as_one(x)))


@layer("torchvision.models.swin_transformer.SwinTransformerBlock")
class SwinTransformerBlock(nn.Cell):
    """Attention, then two linear layers, each behind a normalisation and beside a shortcut: (N, H, W, dim) keeps its shape."""

    def __init__(
        self, dim, num_heads, window_size, shift_size, mlp_ratio=4.0, dropout=0.0, attention_dropout=0.0, stochastic_depth_prob=0.0,
        norm_layer=LayerNorm, attn_layer=ShiftedWindowAttention,
    ):
        super().__init__()
        self.norm1 = norm_layer(dim)
        self.attn = attn_layer(dim, window_size, shift_size, num_heads, attention_dropout=attention_dropout, dropout=dropout)
        self.stochastic_depth = StochasticDepth(stochastic_depth_prob, "row")
        self.norm2 = norm_layer(dim)
        self.mlp = MLP(dim, [int(dim * mlp_ratio), dim], activation_layer=GELU, inplace=None, dropout=dropout)
        for place in (0, 3):
            xavier_uniform_(self.mlp[place].weight)
            normal_(self.mlp[place].bias, std=1e-6)

    def construct(self, x):
        x = x + self.stochastic_depth(self.attn(self.norm1(x)))
        return x + self.stochastic_depth(self.mlp(self.norm2(x)))


@layer("torchvision.models.swin_transformer.SwinTransformerBlockV2")
class SwinTransformerBlockV2(SwinTransformerBlock):
    """Attention by cosines, then two linear layers, each before a normalisation: (N, H, W, dim) keeps its shape."""

    def __init__(
        self, dim, num_heads, window_size, shift_size, mlp_ratio=4.0, dropout=0.0, attention_dropout=0.0, stochastic_depth_prob=0.0,
        norm_layer=LayerNorm, attn_layer=ShiftedWindowAttentionV2,
    ):
        super().__init__(
            dim, num_heads, window_size, shift_size, mlp_ratio, dropout, attention_dropout, stochastic_depth_prob, norm_layer, attn_layer
        )

    def construct(self, x):
        x = x + self.stochastic_depth(self.norm1(self.attn(x)))
        return x + self.stochastic_depth(self.norm2(self.mlp(x)))


@layer("torchvision.models.SwinTransformer", "torchvision.models.swin_transformer.SwinTransformer")
class SwinTransformer(nn.Cell):
    """Patches, stages of blocks with a merging of patches between them, and a linear layer: (N, 3, H, W) becomes (N, num_classes)."""

    def __init__(
        self, patch_size, embed_dim, depths, num_heads, window_size, mlp_ratio=4.0, dropout=0.0, attention_dropout=0.0,
        stochastic_depth_prob=0.1, num_classes=1000, norm_layer=None, block=None, downsample_layer=PatchMerging,
    ):
        super().__init__()
        self.num_classes = num_classes
        block = SwinTransformerBlock if block is None else block
        norm_layer = partial(LayerNorm, eps=1e-5) if norm_layer is None else norm_layer
        size = (patch_size[0], patch_size[1])
        parts = [nn.SequentialCell(Conv2d(3, embed_dim, size, size), Permute([0, 2, 3, 1]), norm_layer(embed_dim))]
        before, last = 0, sum(depths) - 1
        for stage, depth in enumerate(depths):
            width, made = embed_dim * 2**stage, []
            for place in range(depth):
                made.append(
                    block(
                        width, num_heads[stage], window_size=window_size, shift_size=[place % 2 * (side // 2) for side in window_size],
                        mlp_ratio=mlp_ratio, dropout=dropout, attention_dropout=attention_dropout,
                        stochastic_depth_prob=stochastic_depth_prob * float(before + place) / last, norm_layer=norm_layer,
                    )
                )
            before += depth
            parts.append(nn.SequentialCell(*made))
            if stage < len(depths) - 1:
                parts.append(downsample_layer(width, norm_layer))
        self.features = nn.SequentialCell(*parts)
        width = embed_dim * 2 ** (len(depths) - 1)
        self.norm = norm_layer(width)
        self.permute = Permute([0, 3, 1, 2])
        self.avgpool = AdaptiveAvgPool2d(1)
        self.flatten = Flatten(1)
        self.head = Linear(width, num_classes)
        for _, cell in self.cells_and_names():
            if isinstance(cell, nn.Dense):
                trunc_normal_(cell.weight, std=0.02)
                if cell.bias is not None:
                    zeros_(cell.bias)

    def construct(self, x):
        return self.head(self.flatten(self.avgpool(self.permute(self.norm(self.features(x))))))
