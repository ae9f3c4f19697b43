"""MobileNetV2 and the weights that PyTorch publishes for it, with torchvision's names of modules.

Sandler et al. 2018 (https://arxiv.org/abs/1801.04381); https://docs.pytorch.org/vision/0.28/models/mobilenetv2.html
"""

from mindspore import nn, ops

from mindport.declare import equivalent, layer
from mindport.equivalents.initializers import normal_
from mindport.layers.activation import ReLU6
from mindport.layers.convolution import Conv2d
from mindport.layers.dropout import Dropout
from mindport.layers.linear import Linear
from mindport.layers.norm_activation import Conv2dNormActivation
from mindport.layers.normalization import BatchNorm2d
from mindport.layers.vision_models.born_weights import draw
from mindport.layers.vision_models.channels import _make_divisible
from mindport.layers.vision_models.pretrained import (
    SHOWN,
    WeightsEnum,
    chosen,
    for_weights,
    trained_on,
    with_weights,
)

#: Of each stage: how much wider it is inside, its channels, its blocks and the stride of the first.
STAGES = ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1))


@layer("torchvision.models.mobilenetv2.InvertedResidual")
class InvertedResidual(nn.Cell):
    """A wide depthwise convolution between two of 1x1, beside a shortcut where the shape stays: (N, inp, H, W) becomes (N, oup, H/stride, W/stride)."""

    def __init__(self, inp, oup, stride, expand_ratio, norm_layer=None):
        super().__init__()
        self.stride = stride
        if stride not in (1, 2):
            raise ValueError(f"stride should be 1 or 2 instead of {stride}")
        norm_layer = BatchNorm2d if norm_layer is None else norm_layer
        hidden = int(round(inp * expand_ratio))
        self.use_res_connect = stride == 1 and inp == oup
        wider = [] if expand_ratio == 1 else [Conv2dNormActivation(inp, hidden, 1, norm_layer=norm_layer, activation_layer=ReLU6)]
        depthwise = Conv2dNormActivation(hidden, hidden, stride=stride, groups=hidden, norm_layer=norm_layer, activation_layer=ReLU6)
        self.conv = nn.SequentialCell(*wider, depthwise, Conv2d(hidden, oup, 1, bias=False), norm_layer(oup))
        self.out_channels = oup
        self._is_cn = stride > 1

    def construct(self, x):
        return x + self.conv(x) if self.use_res_connect else self.conv(x)


@layer("torchvision.models.MobileNetV2", "torchvision.models.mobilenetv2.MobileNetV2", "torchvision.models.mobilenet.MobileNetV2")
class MobileNetV2(nn.Cell):
    """Stages of inverted residual blocks and a linear layer: (N, 3, H, W) becomes (N, num_classes)."""

    def __init__(
        self, num_classes=1000, width_mult=1.0, inverted_residual_setting=None, round_nearest=8, block=None, norm_layer=None,
        dropout=0.2,
    ):
        super().__init__()
        block = InvertedResidual if block is None else block
        norm_layer = BatchNorm2d if norm_layer is None else norm_layer
        stages = STAGES if inverted_residual_setting is None else inverted_residual_setting
        if len(stages) == 0 or len(stages[0]) != 4:
            raise ValueError(f"inverted_residual_setting should be non-empty or a 4-element list, got {stages}")
        width = _make_divisible(32 * width_mult, round_nearest)
        self.last_channel = _make_divisible(1280 * max(1.0, width_mult), round_nearest)
        features = [Conv2dNormActivation(3, width, stride=2, norm_layer=norm_layer, activation_layer=ReLU6)]
        for ratio, channels, blocks, stride in stages:
            wanted = _make_divisible(channels * width_mult, round_nearest)
            for index in range(blocks):
                features.append(block(width, wanted, 1 if index else stride, expand_ratio=ratio, norm_layer=norm_layer))
                width = wanted
        features.append(Conv2dNormActivation(width, self.last_channel, 1, norm_layer=norm_layer, activation_layer=ReLU6))
        self.features = nn.SequentialCell(*features)
        self.classifier = nn.SequentialCell(Dropout(p=dropout), Linear(self.last_channel, num_classes))
        draw(self, lambda linear: normal_(linear.weight, 0, 0.01))

    def _forward_impl(self, x):
        return self.classifier(ops.mean(self.features(x), (2, 3)))

    def construct(self, x):
        return self._forward_impl(x)


@layer(
    "torchvision.models.MobileNet_V2_Weights", "torchvision.models.mobilenetv2.MobileNet_V2_Weights",
    "torchvision.models.mobilenet.MobileNet_V2_Weights",
)
class MobileNet_V2_Weights(WeightsEnum):
    """Weights of mobilenet_v2."""

    IMAGENET1K_V1 = trained_on("mobilenet_v2-b0353104.pth")
    IMAGENET1K_V2 = trained_on("mobilenet_v2-7ebf99e0.pth", resize_size=232)
    DEFAULT = IMAGENET1K_V2


@equivalent(
    "torchvision.models.mobilenet_v2", "torchvision.models.mobilenetv2.mobilenet_v2", "torchvision.models.mobilenet.mobilenet_v2",
    drops=SHOWN,
)
def mobilenet_v2(weights=None, progress=True, **options):
    """A MobileNetV2."""
    picked = chosen(MobileNet_V2_Weights, weights, options)
    return with_weights(MobileNetV2(**for_weights(picked, options)), picked)
