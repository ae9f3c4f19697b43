"""RegNets, with torchvision's names of modules.

Radosavovic et al. 2020 (https://arxiv.org/abs/2003.13678); https://docs.pytorch.org/vision/0.28/models/regnet.html
"""

import math
from collections import OrderedDict

import numpy as np
from mindspore import nn, ops

from mindport.declare import layer
from mindport.equivalents.initializers import constant_, normal_
from mindport.layers.activation import ReLU
from mindport.layers.adaptive_pooling import AdaptiveAvgPool2d
from mindport.layers.container import Sequential
from mindport.layers.linear import Linear
from mindport.layers.norm_activation import Conv2dNormActivation, SqueezeExcitation
from mindport.layers.normalization import BatchNorm2d
from mindport.layers.vision_models.channels import _make_divisible


@layer("torchvision.models.regnet.SimpleStemIN")
class SimpleStemIN(Conv2dNormActivation):
    """The first convolution, of 3x3: (N, width_in, H, W) becomes (N, width_out, H/2, W/2)."""

    def __init__(self, width_in, width_out, norm_layer, activation_layer):
        super().__init__(width_in, width_out, kernel_size=3, stride=2, norm_layer=norm_layer, activation_layer=activation_layer)


@layer("torchvision.models.regnet.BottleneckTransform")
class BottleneckTransform(Sequential):
    """Convolutions of 1x1, 3x3 in groups and 1x1, squeeze and excitation before the last where `se_ratio` is given."""

    def __init__(
        self, width_in, width_out, stride, norm_layer, activation_layer, group_width, bottleneck_multiplier, se_ratio
    ):
        inner = int(round(width_out * bottleneck_multiplier))
        made = OrderedDict()
        made["a"] = Conv2dNormActivation(width_in, inner, 1, norm_layer=norm_layer, activation_layer=activation_layer)
        made["b"] = Conv2dNormActivation(
            inner, inner, 3, stride, groups=inner // group_width, norm_layer=norm_layer, activation_layer=activation_layer
        )
        if se_ratio:
            made["se"] = SqueezeExcitation(inner, int(round(se_ratio * width_in)), activation=activation_layer)
        made["c"] = Conv2dNormActivation(inner, width_out, 1, norm_layer=norm_layer, activation_layer=None)
        super().__init__(made)


@layer("torchvision.models.regnet.ResBottleneckBlock")
class ResBottleneckBlock(nn.Cell):
    """A bottleneck beside a shortcut, which is a convolution where the shape changes: (N, width_in, H, W) becomes (N, width_out, H/stride, W/stride)."""

    def __init__(
        self, width_in, width_out, stride, norm_layer, activation_layer, group_width=1, bottleneck_multiplier=1.0, se_ratio=None
    ):
        super().__init__()
        self.proj = None
        if width_in != width_out or stride != 1:
            self.proj = Conv2dNormActivation(width_in, width_out, 1, stride, norm_layer=norm_layer, activation_layer=None)
        self.f = BottleneckTransform(
            width_in, width_out, stride, norm_layer, activation_layer, group_width, bottleneck_multiplier, se_ratio
        )
        self.activation = activation_layer(inplace=True)

    def construct(self, x):
        shortcut = x if self.proj is None else self.proj(x)
        return self.activation(shortcut + self.f(x))


@layer("torchvision.models.regnet.AnyStage")
class AnyStage(Sequential):
    """Blocks of one width; the first of them has the stride."""

    def __init__(
        self, width_in, width_out, stride, depth, block_constructor, norm_layer, activation_layer, group_width,
        bottleneck_multiplier, se_ratio=None, stage_index=0,
    ):
        made = OrderedDict()
        for index in range(depth):
            made[f"block{stage_index}-{index}"] = block_constructor(
                width_out if index else width_in, width_out, 1 if index else stride, norm_layer, activation_layer, group_width,
                bottleneck_multiplier, se_ratio,
            )
        super().__init__(made)


@layer("torchvision.models.regnet.BlockParams")
class BlockParams:
    """The sizes of the stages of a RegNet."""

    def __init__(self, depths, widths, group_widths, bottleneck_multipliers, strides, se_ratio=None):
        self.depths = depths
        self.widths = widths
        self.group_widths = group_widths
        self.bottleneck_multipliers = bottleneck_multipliers
        self.strides = strides
        self.se_ratio = se_ratio

    @classmethod
    def from_init_params(
        cls, depth, w_0, w_a, w_m, group_width, bottleneck_multiplier=1.0, se_ratio=None, **kwargs
    ):
        """Stages from `depth` blocks whose widths grow by `w_a` from `w_0` on, rounded to powers of `w_m`, then to eights. Raises ValueError.

        float32, as torchvision computes it: another precision might round another way.
        """
        if w_a < 0 or w_0 <= 0 or w_m <= 1 or w_0 % 8 != 0:
            raise ValueError("Invalid RegNet settings")
        wanted = np.arange(depth).astype(np.float32) * np.float32(w_a) + np.float32(w_0)
        powers = np.round(np.log(wanted / np.float32(w_0)) / np.float32(math.log(w_m)))
        rounded = np.round(np.float32(w_0) * np.power(np.float32(w_m), powers) / np.float32(8)) * 8
        widths = [int(width) for width in rounded]
        first = [index for index, width in enumerate(widths) if index == 0 or width != widths[index - 1]]
        stages = len(set(widths))
        multipliers = [bottleneck_multiplier] * stages
        stage_widths, group_widths = cls._adjust_widths_groups_compatibilty(
            [widths[index] for index in first], multipliers, [group_width] * stages
        )
        depths = [after - before for before, after in zip(first, [*first[1:], depth])]
        return cls(depths, stage_widths, group_widths, multipliers, [2] * stages, se_ratio)

    def _get_expanded_params(self):
        return zip(self.widths, self.strides, self.depths, self.group_widths, self.bottleneck_multipliers)

    @staticmethod
    def _adjust_widths_groups_compatibilty(stage_widths, bottleneck_ratios, group_widths):
        """Widths of stages that groups divide, and widths of groups that are not wider than a stage."""
        inner = [int(width * ratio) for width, ratio in zip(stage_widths, bottleneck_ratios)]
        groups = [min(group, width) for group, width in zip(group_widths, inner)]
        divisible = [_make_divisible(width, group) for width, group in zip(inner, groups)]
        return [int(width / ratio) for width, ratio in zip(divisible, bottleneck_ratios)], groups


@layer("torchvision.models.RegNet", "torchvision.models.regnet.RegNet")
class RegNet(nn.Cell):
    """A stem, stages of residual blocks and a linear layer: (N, 3, H, W) becomes (N, num_classes)."""

    def __init__(
        self, block_params, num_classes=1000, stem_width=32, stem_type=None, block_type=None, norm_layer=None, activation=None
    ):
        super().__init__()
        stem_type = SimpleStemIN if stem_type is None else stem_type
        block_type = ResBottleneckBlock if block_type is None else block_type
        norm_layer = BatchNorm2d if norm_layer is None else norm_layer
        activation = ReLU if activation is None else activation
        self.stem = stem_type(3, stem_width, norm_layer, activation)
        before, stages = stem_width, OrderedDict()
        for index, (width, stride, depth, group, multiplier) in enumerate(block_params._get_expanded_params(), 1):
            stages[f"block{index}"] = AnyStage(
                before, width, stride, depth, block_type, norm_layer, activation, group, multiplier, block_params.se_ratio, index
            )
            before = width
        self.trunk_output = nn.SequentialCell(stages)
        self.avgpool = AdaptiveAvgPool2d((1, 1))
        self.fc = Linear(before, num_classes)
        self._draw()

    def _draw(self):
        for _, cell in self.cells_and_names():
            if isinstance(cell, nn.Conv2d):
                outputs = cell.kernel_size[0] * cell.kernel_size[1] * cell.out_channels
                normal_(cell.weight, 0.0, math.sqrt(2.0 / outputs))
        normal_(self.fc.weight, 0.0, 0.01)
        constant_(self.fc.bias, 0)

    def construct(self, x):
        return self.fc(ops.flatten(self.avgpool(self.trunk_output(self.stem(x))), start_dim=1))
