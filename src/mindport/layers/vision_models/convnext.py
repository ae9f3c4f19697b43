"""ConvNeXt, its builders and the weights that PyTorch publishes for them.

Liu et al. 2022 (https://arxiv.org/abs/2201.03545); https://docs.pytorch.org/vision/0.28/models/convnext.html.
"""

from collections.abc import Sequence
from functools import partial

from mindspore import Parameter, nn, ops

from mindport.declare import equivalent, layer
from mindport.equivalents.initializers import trunc_normal_, zeros_
from mindport.layers.activation import GELU
from mindport.layers.adaptive_pooling import AdaptiveAvgPool2d
from mindport.layers.convolution import Conv2d
from mindport.layers.linear import Linear
from mindport.layers.norm_activation import Conv2dNormActivation
from mindport.layers.normalization import LayerNorm
from mindport.layers.region_pooling import Permute, StochasticDepth
from mindport.layers.resampling import Flatten
from mindport.layers.vision_models.pretrained import (
    SHOWN,
    WeightsEnum,
    chosen,
    for_weights,
    trained_on,
    with_weights,
)


@layer("torchvision.models.convnext.LayerNorm2d")
class LayerNorm2d(LayerNorm):
    """Normalisation of (N, C, H, W) over the channels of each pixel."""

    def construct(self, x):
        return ops.permute(super(LayerNorm2d, self).construct(ops.permute(x, (0, 2, 3, 1))), (0, 3, 1, 2))


@layer("torchvision.models.convnext.CNBlock")
class CNBlock(nn.Cell):
    """A 7x7 convolution of each channel and two linear layers, scaled, beside a shortcut: (N, dim, H, W) keeps its shape."""

    def __init__(self, dim, layer_scale, stochastic_depth_prob, norm_layer=None):
        super().__init__()
        norm_layer = partial(LayerNorm, eps=1e-6) if norm_layer is None else norm_layer
        self.block = nn.SequentialCell(
            Conv2d(dim, dim, 7, padding=3, groups=dim), Permute([0, 2, 3, 1]), norm_layer(dim), Linear(dim, 4 * dim), GELU(),
            Linear(4 * dim, dim), Permute([0, 3, 1, 2]),
        )
        self.layer_scale = Parameter(ops.ones((dim, 1, 1)) * layer_scale, name="layer_scale")
        self.stochastic_depth = StochasticDepth(stochastic_depth_prob, "row")

    def construct(self, input):
        return self.stochastic_depth(self.layer_scale * self.block(input)) + input


@layer("torchvision.models.convnext.CNBlockConfig")
class CNBlockConfig:
    """A stage: `num_layers` blocks, then a convolution to `out_channels` where these are not None."""

    def __init__(self, input_channels, out_channels, num_layers):
        self.input_channels = input_channels
        self.out_channels = out_channels
        self.num_layers = num_layers

    def __repr__(self):
        told = ", ".join(f"{name}={value}" for name, value in vars(self).items())
        return f"{type(self).__name__}({told})"


@layer("torchvision.models.ConvNeXt", "torchvision.models.convnext.ConvNeXt", drops={"kwargs": "no use is made of them, in torchvision, too"})
class ConvNeXt(nn.Cell):
    """A convolution to patches of 4x4, stages of blocks and a linear layer: (N, 3, H, W) becomes (N, num_classes)."""

    def __init__(
        self, block_setting, stochastic_depth_prob=0.0, layer_scale=1e-6, num_classes=1000, block=None, norm_layer=None, **kwargs,
    ):
        super().__init__()
        if not block_setting:
            raise ValueError("The block_setting should not be empty")
        if not isinstance(block_setting, Sequence) or not all(isinstance(stage, CNBlockConfig) for stage in block_setting):
            raise TypeError("The block_setting should be List[CNBlockConfig]")
        block = CNBlock if block is None else block
        norm_layer = partial(LayerNorm2d, eps=1e-6) if norm_layer is None else norm_layer
        parts = [
            Conv2dNormActivation(3, block_setting[0].input_channels, 4, 4, 0, norm_layer=norm_layer, activation_layer=None, bias=True)
        ]
        last, place = sum(stage.num_layers for stage in block_setting) - 1.0, 0
        for stage in block_setting:
            depths = [stochastic_depth_prob * (place + i) / last for i in range(stage.num_layers)]
            place += stage.num_layers
            parts.append(nn.SequentialCell(*(block(stage.input_channels, layer_scale, depth) for depth in depths)))
            if stage.out_channels is not None:
                parts.append(nn.SequentialCell(norm_layer(stage.input_channels), Conv2d(stage.input_channels, stage.out_channels, 2, 2)))
        self.features = nn.SequentialCell(*parts)
        self.avgpool = AdaptiveAvgPool2d(1)
        end = block_setting[-1]
        width = end.input_channels if end.out_channels is None else end.out_channels
        self.classifier = nn.SequentialCell(norm_layer(width), Flatten(1), Linear(width, num_classes))
        for _, cell in self.cells_and_names():
            if isinstance(cell, (nn.Conv2d, nn.Dense)):
                trunc_normal_(cell.weight, std=0.02)
                if cell.bias is not None:
                    zeros_(cell.bias)

    def _forward_impl(self, x):
        return self.classifier(self.avgpool(self.features(x)))

    def construct(self, x):
        return self._forward_impl(x)


def convolutional_network(widths, layers, depth, kinds, weights, options):
    """A ConvNeXt with the weights that a builder is asked for; `depth` is how likely the last block is passed by."""
    picked = chosen(kinds, weights, options)
    depth = options.pop("stochastic_depth_prob", depth)
    stages = [CNBlockConfig(*stage) for stage in zip(widths, [*widths[1:], None], layers)]
    return with_weights(ConvNeXt(stages, stochastic_depth_prob=depth, **for_weights(picked, options)), picked)


@layer("torchvision.models.ConvNeXt_Tiny_Weights", "torchvision.models.convnext.ConvNeXt_Tiny_Weights")
class ConvNeXt_Tiny_Weights(WeightsEnum):
    """Weights of convnext_tiny."""

    IMAGENET1K_V1 = trained_on("convnext_tiny-983f1562.pth", resize_size=236)
    DEFAULT = IMAGENET1K_V1


@equivalent("torchvision.models.convnext_tiny", "torchvision.models.convnext.convnext_tiny", drops=SHOWN)
def convnext_tiny(weights=None, progress=True, **options):
    """A ConvNeXt of 18 blocks."""
    return convolutional_network([96, 192, 384, 768], [3, 3, 9, 3], 0.1, ConvNeXt_Tiny_Weights, weights, options)


@layer("torchvision.models.ConvNeXt_Small_Weights", "torchvision.models.convnext.ConvNeXt_Small_Weights")
class ConvNeXt_Small_Weights(WeightsEnum):
    """Weights of convnext_small."""

    IMAGENET1K_V1 = trained_on("convnext_small-0c510722.pth", resize_size=230)
    DEFAULT = IMAGENET1K_V1


@equivalent("torchvision.models.convnext_small", "torchvision.models.convnext.convnext_small", drops=SHOWN)
def convnext_small(weights=None, progress=True, **options):
    """A ConvNeXt of 36 blocks."""
    return convolutional_network([96, 192, 384, 768], [3, 3, 27, 3], 0.4, ConvNeXt_Small_Weights, weights, options)


@layer("torchvision.models.ConvNeXt_Base_Weights", "torchvision.models.convnext.ConvNeXt_Base_Weights")
class ConvNeXt_Base_Weights(WeightsEnum):
    """Weights of convnext_base."""

    IMAGENET1K_V1 = trained_on("convnext_base-6075fbad.pth", resize_size=232)
    DEFAULT = IMAGENET1K_V1


@equivalent("torchvision.models.convnext_base", "torchvision.models.convnext.convnext_base", drops=SHOWN)
def convnext_base(weights=None, progress=True, **options):
    """A ConvNeXt of 36 blocks, wider."""
    return convolutional_network([128, 256, 512, 1024], [3, 3, 27, 3], 0.5, ConvNeXt_Base_Weights, weights, options)


@layer("torchvision.models.ConvNeXt_Large_Weights", "torchvision.models.convnext.ConvNeXt_Large_Weights")
class ConvNeXt_Large_Weights(WeightsEnum):
    """Weights of convnext_large."""

    IMAGENET1K_V1 = trained_on("convnext_large-ea097f82.pth", resize_size=232)
    DEFAULT = IMAGENET1K_V1


@equivalent("torchvision.models.convnext_large", "torchvision.models.convnext.convnext_large", drops=SHOWN)
def convnext_large(weights=None, progress=True, **options):
    """A ConvNeXt of 36 blocks, twice as wide."""
    return convolutional_network([192, 384, 768, 1536], [3, 3, 27, 3], 0.5, ConvNeXt_Large_Weights, weights, options)
