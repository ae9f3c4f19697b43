"""MaxViT, its builder and the weights that PyTorch publishes for it.

Tu et al. 2022 (https://arxiv.org/abs/2204.01697); https://docs.pytorch.org/vision/0.28/models/maxvit.html.
"""

from collections import OrderedDict
from functools import partial

import numpy as np
from mindspore import nn

from mindport.declare import equivalent, layer
from mindport.equivalents.image_functional import InterpolationMode
from mindport.equivalents.initializers import normal_, zeros_
from mindport.layers.activation import GELU, Tanh
from mindport.layers.adaptive_pooling import AdaptiveAvgPool2d
from mindport.layers.linear import Linear
from mindport.layers.norm_activation import Conv2dNormActivation
from mindport.layers.normalization import BatchNorm2d, LayerNorm
from mindport.layers.resampling import Flatten
from mindport.layers.vision_models.maxvit_attention import MBConv, PartitionAttentionLayer
from mindport.layers.vision_models.pretrained import (
    SHOWN,
    WeightsEnum,
    chosen,
    for_weights,
    trained_on,
    with_weights,
)


def halved(size):
    """(height, width) behind a 3x3 convolution with a stride of two."""
    return (size[0] - 1) // 2 + 1, (size[1] - 1) // 2 + 1


@layer("torchvision.models.maxvit.MaxVitLayer")
class MaxVitLayer(nn.Cell):
    """An inverted residual, attention within windows and attention across a grid: (N, in_channels, H, W) becomes (N, out_channels, H/stride, W/stride)."""

    def __init__(
        self, in_channels, out_channels, squeeze_ratio, expansion_ratio, stride, norm_layer, activation_layer, head_dim, mlp_ratio,
        mlp_dropout, attention_dropout, p_stochastic_dropout, partition_size, grid_size,
    ):
        super().__init__()

        def attention(kind):
            return PartitionAttentionLayer(
                out_channels, head_dim, partition_size, kind, grid_size, mlp_ratio, activation_layer, LayerNorm, attention_dropout,
                mlp_dropout, p_stochastic_dropout,
            )

        self.layers = nn.SequentialCell(
            OrderedDict(
                MBconv=MBConv(
                    in_channels, out_channels, expansion_ratio, squeeze_ratio, stride, activation_layer, norm_layer, p_stochastic_dropout
                ),
                window_attention=attention("window"), grid_attention=attention("grid"),
            )
        )

    def construct(self, x):
        return self.layers(x)


@layer("torchvision.models.maxvit.MaxVitBlock")
class MaxVitBlock(nn.Cell):
    """Layers of which the first halves the size: (N, in_channels, H, W) becomes (N, out_channels, H/2, W/2)."""

    def __init__(
        self, in_channels, out_channels, squeeze_ratio, expansion_ratio, norm_layer, activation_layer, head_dim, mlp_ratio, mlp_dropout,
        attention_dropout, partition_size, input_grid_size, n_layers, p_stochastic,
    ):
        super().__init__()
        if len(p_stochastic) != n_layers:
            raise ValueError(f"p_stochastic must have length n_layers={n_layers}, got p_stochastic={p_stochastic}.")
        self.grid_size = halved(input_grid_size)
        self.layers = nn.CellList(
            [
                MaxVitLayer(
                    out_channels if place else in_channels, out_channels, squeeze_ratio, expansion_ratio, 1 if place else 2, norm_layer,
                    activation_layer, head_dim, mlp_ratio, mlp_dropout, attention_dropout, depth, partition_size, self.grid_size,
                )
                for place, depth in enumerate(p_stochastic)
            ]
        )

    def construct(self, x):
        for member in self.layers:
            x = member(x)
        return x


@layer("torchvision.models.MaxVit", "torchvision.models.maxvit.MaxVit")
class MaxVit(nn.Cell):
    """Two convolutions, blocks and linear layers: (N, 3, *input_size) becomes (N, num_classes)."""

    def __init__(
        self, input_size, stem_channels, partition_size, block_channels, block_layers, head_dim, stochastic_depth_prob, norm_layer=None,
        activation_layer=GELU, squeeze_ratio=0.25, expansion_ratio=4, mlp_ratio=4, mlp_dropout=0.0, attention_dropout=0.0, num_classes=1000,
    ):
        super().__init__()
        norm_layer = partial(BatchNorm2d, eps=1e-3, momentum=0.01) if norm_layer is None else norm_layer
        sizes = [halved(halved(input_size))]
        while len(sizes) < len(block_channels):
            sizes.append(halved(sizes[-1]))
        for place, size in enumerate(sizes):
            if size[0] % partition_size != 0 or size[1] % partition_size != 0:
                raise ValueError(
                    f"Input size {size} of block {place} is not divisible by partition size {partition_size}. "
                    f"Consider changing the partition size or the input size.\n"
                    f"Current configuration yields the following block input sizes: {sizes}."
                )
        self.stem = nn.SequentialCell(
            Conv2dNormActivation(
                3, stem_channels, 3, stride=2, norm_layer=norm_layer, activation_layer=activation_layer, bias=False, inplace=None
            ),
            Conv2dNormActivation(stem_channels, stem_channels, 3, stride=1, norm_layer=None, activation_layer=None, bias=True),
        )
        self.partition_size = partition_size
        depths = np.linspace(0, stochastic_depth_prob, sum(block_layers)).tolist()
        blocks, size, width = [], halved(input_size), stem_channels
        for wider, layers in zip(block_channels, block_layers):
            blocks.append(
                MaxVitBlock(
                    width, wider, squeeze_ratio, expansion_ratio, norm_layer, activation_layer, head_dim, mlp_ratio, mlp_dropout,
                    attention_dropout, partition_size, size, layers, depths[:layers],
                )
            )
            size, width, depths = blocks[-1].grid_size, wider, depths[layers:]
        self.blocks = nn.CellList(blocks)
        last = block_channels[-1]
        self.classifier = nn.SequentialCell(
            AdaptiveAvgPool2d(1), Flatten(), LayerNorm(last), Linear(last, last), Tanh(), Linear(last, num_classes, bias=False)
        )
        self._init_weights()

    def construct(self, x):
        x = self.stem(x)
        for block in self.blocks:
            x = block(x)
        return self.classifier(x)

    def _init_weights(self):
        for _, cell in self.cells_and_names():
            if isinstance(cell, (nn.Conv2d, nn.Dense)):
                normal_(cell.weight, std=0.02)
                if cell.bias is not None:
                    zeros_(cell.bias)


@layer("torchvision.models.MaxVit_T_Weights", "torchvision.models.maxvit.MaxVit_T_Weights")
class MaxVit_T_Weights(WeightsEnum):
    """Weights of maxvit_t."""

    IMAGENET1K_V1 = trained_on("maxvit_t-bc5ab103.pth", resize_size=224, interpolation=InterpolationMode.BICUBIC)
    DEFAULT = IMAGENET1K_V1


@equivalent("torchvision.models.maxvit_t", "torchvision.models.maxvit.maxvit_t", drops=SHOWN)
def maxvit_t(weights=None, progress=True, **options):
    """A MaxViT of four blocks."""
    picked = chosen(MaxVit_T_Weights, weights, options)
    if picked is not None:
        options = for_weights(picked, options, input_size=(224, 224))
    model = MaxVit(
        stem_channels=64, block_channels=[64, 128, 256, 512], block_layers=[2, 2, 5, 2], head_dim=32, stochastic_depth_prob=0.2,
        partition_size=7, **{"input_size": (224, 224), **options},
    )
    return with_weights(model, picked)
