"""EfficientNet, of either version, with torchvision's names of modules.

Tan and Le 2019 (https://arxiv.org/abs/1905.11946) and 2021 (2104.00298); https://docs.pytorch.org/vision/0.28/models/efficientnet.html
"""

import copy
import math
from dataclasses import dataclass
from functools import partial

from mindspore import nn, ops

from mindport.declare import layer
from mindport.equivalents.initializers import uniform_
from mindport.layers.activation import SiLU
from mindport.layers.adaptive_pooling import AdaptiveAvgPool2d
from mindport.layers.dropout import Dropout
from mindport.layers.linear import Linear
from mindport.layers.norm_activation import Conv2dNormActivation, SqueezeExcitation
from mindport.layers.normalization import BatchNorm2d
from mindport.layers.region_pooling import StochasticDepth
from mindport.layers.vision_models.born_weights import draw
from mindport.layers.vision_models.channels import _make_divisible


@layer("torchvision.models.efficientnet._MBConvConfig")
@dataclass
class _MBConvConfig:
    """The sizes of a stage of blocks."""

    expand_ratio: float
    kernel: int
    stride: int
    input_channels: int
    out_channels: int
    num_layers: int
    block: object

    @staticmethod
    def adjust_channels(channels, width_mult, min_value=None):
        return _make_divisible(channels * width_mult, 8, min_value)


@layer("torchvision.models.efficientnet.MBConvConfig")
class MBConvConfig(_MBConvConfig):
    """A stage of depthwise blocks, its channels times `width_mult` and its blocks times `depth_mult`."""

    def __init__(
        self, expand_ratio, kernel, stride, input_channels, out_channels, num_layers, width_mult=1.0, depth_mult=1.0, block=None,
    ):
        super().__init__(
            expand_ratio, kernel, stride, self.adjust_channels(input_channels, width_mult),
            self.adjust_channels(out_channels, width_mult), self.adjust_depth(num_layers, depth_mult),
            MBConv if block is None else block,
        )

    @staticmethod
    def adjust_depth(num_layers, depth_mult):
        return int(math.ceil(num_layers * depth_mult))


@layer("torchvision.models.efficientnet.FusedMBConvConfig")
class FusedMBConvConfig(_MBConvConfig):
    """A stage of blocks whose first two convolutions are one."""

    def __init__(self, expand_ratio, kernel, stride, input_channels, out_channels, num_layers, block=None):
        super().__init__(
            expand_ratio, kernel, stride, input_channels, out_channels, num_layers, FusedMBConv if block is None else block
        )


class _Shortcut(nn.Cell):
    """Convolutions beside a shortcut where the shape stays; in training whole examples go without them."""

    def __init__(self, cnf, stochastic_depth_prob, norm_layer, **made_with):
        super().__init__()
        if not 1 <= cnf.stride <= 2:
            raise ValueError("illegal stride value")
        self.use_res_connect = cnf.stride == 1 and cnf.input_channels == cnf.out_channels
        wide = cnf.adjust_channels(cnf.input_channels, cnf.expand_ratio)
        self.block = nn.SequentialCell(*self._made(cnf, wide, partial(Conv2dNormActivation, norm_layer=norm_layer), **made_with))
        self.stochastic_depth = StochasticDepth(stochastic_depth_prob, "row")
        self.out_channels = cnf.out_channels

    def construct(self, input):
        result = self.block(input)
        return self.stochastic_depth(result) + input if self.use_res_connect else result


@layer("torchvision.models.efficientnet.MBConv")
class MBConv(_Shortcut):
    """A wide depthwise convolution, squeeze and excitation and a narrow one: (N, C, H, W) becomes (N, out_channels, H/stride, W/stride)."""

    def __init__(self, cnf, stochastic_depth_prob, norm_layer, se_layer=SqueezeExcitation):
        super().__init__(cnf, stochastic_depth_prob, norm_layer, se_layer=se_layer)

    def _made(self, cnf, wide, convolution, se_layer):
        first = [] if wide == cnf.input_channels else [convolution(cnf.input_channels, wide, 1, activation_layer=SiLU)]
        return [
            *first,
            convolution(wide, wide, cnf.kernel, cnf.stride, groups=wide, activation_layer=SiLU),
            se_layer(wide, max(1, cnf.input_channels // 4), activation=partial(SiLU, inplace=True)),
            convolution(wide, cnf.out_channels, 1, activation_layer=None),
        ]


@layer("torchvision.models.efficientnet.FusedMBConv")
class FusedMBConv(_Shortcut):
    """A convolution that widens and one that narrows, or one alone: (N, C, H, W) becomes (N, out_channels, H/stride, W/stride)."""

    def __init__(self, cnf, stochastic_depth_prob, norm_layer):
        super().__init__(cnf, stochastic_depth_prob, norm_layer)

    def _made(self, cnf, wide, convolution):
        if wide == cnf.input_channels:
            return [convolution(cnf.input_channels, cnf.out_channels, cnf.kernel, cnf.stride, activation_layer=SiLU)]
        return [
            convolution(cnf.input_channels, wide, cnf.kernel, cnf.stride, activation_layer=SiLU),
            convolution(wide, cnf.out_channels, 1, activation_layer=None),
        ]


def stages(settings, stochastic_depth_prob, norm_layer):
    """The stages' blocks. A block goes the more often in training, the later it comes."""
    total, before, found = sum(cnf.num_layers for cnf in settings), 0, []
    for cnf in settings:
        made = []
        for _ in range(cnf.num_layers):
            own = copy.copy(cnf)
            if made:
                own.input_channels, own.stride = own.out_channels, 1
            made.append(own.block(own, stochastic_depth_prob * float(before) / total, norm_layer))
            before += 1
        found.append(nn.SequentialCell(*made))
    return found


def born(linear):
    """Weights of a new linear layer: even, within one over the root of its outputs."""
    bound = 1.0 / math.sqrt(linear.out_channels)
    uniform_(linear.weight, -bound, bound)


@layer("torchvision.models.EfficientNet", "torchvision.models.efficientnet.EfficientNet")
class EfficientNet(nn.Cell):
    """Stages of inverted residual blocks and a linear layer: (N, 3, H, W) becomes (N, num_classes)."""

    def __init__(
        self, inverted_residual_setting, dropout, stochastic_depth_prob=0.2, num_classes=1000, norm_layer=None, last_channel=None,
    ):
        super().__init__()
        if not inverted_residual_setting:
            raise ValueError("The inverted_residual_setting should not be empty")
        if not isinstance(inverted_residual_setting, (list, tuple)) or not all(isinstance(cnf, _MBConvConfig) for cnf in inverted_residual_setting):
            raise TypeError("The inverted_residual_setting should be List[MBConvConfig]")
        norm_layer = BatchNorm2d if norm_layer is None else norm_layer
        first, before = inverted_residual_setting[0].input_channels, inverted_residual_setting[-1].out_channels
        last = 4 * before if last_channel is None else last_channel
        self.features = nn.SequentialCell(
            Conv2dNormActivation(3, first, 3, 2, norm_layer=norm_layer, activation_layer=SiLU),
            *stages(inverted_residual_setting, stochastic_depth_prob, norm_layer),
            Conv2dNormActivation(before, last, 1, norm_layer=norm_layer, activation_layer=SiLU),
        )
        self.avgpool = AdaptiveAvgPool2d(1)
        self.classifier = nn.SequentialCell(Dropout(p=dropout), Linear(last, num_classes))
        draw(self, born)

    def _forward_impl(self, x):
        return self.classifier(ops.flatten(self.avgpool(self.features(x)), start_dim=1))

    def construct(self, x):
        return self._forward_impl(x)
