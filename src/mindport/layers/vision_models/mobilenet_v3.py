"""MobileNetV3 and the weights that PyTorch publishes for it, with torchvision's names of modules.

Howard et al. 2019 (https://arxiv.org/abs/1905.02244); https://docs.pytorch.org/vision/0.28/models/mobilenetv3.html
"""

from functools import partial

from mindspore import nn, ops

from mindport.declare import equivalent, layer
from mindport.equivalents.initializers import normal_
from mindport.layers.activation import Hardsigmoid, Hardswish, ReLU
from mindport.layers.adaptive_pooling import AdaptiveAvgPool2d
from mindport.layers.dropout import Dropout
from mindport.layers.linear import Linear
from mindport.layers.norm_activation import Conv2dNormActivation, SqueezeExcitation
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


@layer("torchvision.models.mobilenetv3.InvertedResidualConfig")
class InvertedResidualConfig:
    """The sizes of one block: a row of the paper's tables 1 and 2, its channels times `width_mult`."""

    def __init__(
        self, input_channels, kernel, expanded_channels, out_channels, use_se, activation, stride, dilation, width_mult
    ):
        self.input_channels = self.adjust_channels(input_channels, width_mult)
        self.kernel = kernel
        self.expanded_channels = self.adjust_channels(expanded_channels, width_mult)
        self.out_channels = self.adjust_channels(out_channels, width_mult)
        self.use_se = use_se
        self.use_hs = activation == "HS"
        self.stride = stride
        self.dilation = dilation

    @staticmethod
    def adjust_channels(channels, width_mult):
        return _make_divisible(channels * width_mult, 8)


@layer("torchvision.models.mobilenetv3.InvertedResidual")
class InvertedResidual(nn.Cell):
    """A wide depthwise convolution, squeeze and excitation and a narrow convolution, beside a shortcut where the shape stays."""

    def __init__(self, cnf, norm_layer, se_layer=partial(SqueezeExcitation, scale_activation=Hardsigmoid)):
        super().__init__()
        if not 1 <= cnf.stride <= 2:
            raise ValueError("illegal stride value")
        self.use_res_connect = cnf.stride == 1 and cnf.input_channels == cnf.out_channels
        activation = Hardswish if cnf.use_hs else ReLU
        wide = cnf.expanded_channels
        made = []
        if wide != cnf.input_channels:
            made.append(Conv2dNormActivation(cnf.input_channels, wide, 1, norm_layer=norm_layer, activation_layer=activation))
        made.append(
            Conv2dNormActivation(
                wide, wide, cnf.kernel, 1 if cnf.dilation > 1 else cnf.stride, groups=wide, norm_layer=norm_layer,
                activation_layer=activation, dilation=cnf.dilation,
            )
        )
        if cnf.use_se:
            made.append(se_layer(wide, _make_divisible(wide // 4, 8)))
        made.append(Conv2dNormActivation(wide, cnf.out_channels, 1, norm_layer=norm_layer, activation_layer=None))
        self.block = nn.SequentialCell(*made)
        self.out_channels = cnf.out_channels
        self._is_cn = cnf.stride > 1

    def construct(self, input):
        return self.block(input) + input if self.use_res_connect else self.block(input)


@layer(
    "torchvision.models.MobileNetV3", "torchvision.models.mobilenetv3.MobileNetV3", "torchvision.models.mobilenet.MobileNetV3",
    drops={"kwargs": "torchvision ignores them"},
)
class MobileNetV3(nn.Cell):
    """Inverted residual blocks and two linear layers: (N, 3, H, W) becomes (N, num_classes). Other options are not looked at, in torchvision neither."""

    def __init__(
        self, inverted_residual_setting, last_channel, num_classes=1000, block=None, norm_layer=None, dropout=0.2, **kwargs
    ):
        super().__init__()
        if not inverted_residual_setting:
            raise ValueError("The inverted_residual_setting should not be empty")
        if not isinstance(inverted_residual_setting, (list, tuple)) or not all(isinstance(row, InvertedResidualConfig) for row in inverted_residual_setting):
            raise TypeError("The inverted_residual_setting should be List[InvertedResidualConfig]")
        block = InvertedResidual if block is None else block
        norm_layer = partial(BatchNorm2d, eps=0.001, momentum=0.01) if norm_layer is None else norm_layer
        first, last = inverted_residual_setting[0].input_channels, inverted_residual_setting[-1].out_channels
        self.features = nn.SequentialCell(
            Conv2dNormActivation(3, first, 3, 2, norm_layer=norm_layer, activation_layer=Hardswish),
            *[block(row, norm_layer) for row in inverted_residual_setting],
            Conv2dNormActivation(last, 6 * last, 1, norm_layer=norm_layer, activation_layer=Hardswish),
        )
        self.avgpool = AdaptiveAvgPool2d(1)
        self.classifier = nn.SequentialCell(
            Linear(6 * last, last_channel), Hardswish(), Dropout(p=dropout), Linear(last_channel, num_classes)
        )
        draw(self, lambda linear: normal_(linear.weight, 0, 0.01))

    def _forward_impl(self, x):
        return self.classifier(ops.flatten(self.avgpool(self.features(x)), start_dim=1))

    def construct(self, x):
        return self._forward_impl(x)


#: Kernel, channels inside and after, squeeze and excitation, activation, stride; the last three blocks are those that may be narrow and dilated.
LARGE = (
    (3, 16, 16, False, "RE", 1), (3, 64, 24, False, "RE", 2), (3, 72, 24, False, "RE", 1), (5, 72, 40, True, "RE", 2),
    (5, 120, 40, True, "RE", 1), (5, 120, 40, True, "RE", 1), (3, 240, 80, False, "HS", 2), (3, 200, 80, False, "HS", 1),
    (3, 184, 80, False, "HS", 1), (3, 184, 80, False, "HS", 1), (3, 480, 112, True, "HS", 1), (3, 672, 112, True, "HS", 1),
    (5, 672, 160, True, "HS", 2), (5, 960, 160, True, "HS", 1), (5, 960, 160, True, "HS", 1),
)
SMALL = (
    (3, 16, 16, True, "RE", 2), (3, 72, 24, False, "RE", 2), (3, 88, 24, False, "RE", 1), (5, 96, 40, True, "HS", 2),
    (5, 240, 40, True, "HS", 1), (5, 240, 40, True, "HS", 1), (5, 120, 48, True, "HS", 1), (5, 144, 48, True, "HS", 1),
    (5, 288, 96, True, "HS", 2), (5, 576, 96, True, "HS", 1), (5, 576, 96, True, "HS", 1),
)


def rows(table, width_mult, reduced_tail, dilated):
    """The sizes of a network's blocks."""
    divisor = 2 if reduced_tail else 1
    found, before, tail = [], 16, len(table) - 3
    for index, (kernel, wide, after, use_se, activation, stride) in enumerate(table):
        wide = wide // divisor if index > tail else wide
        after = after // divisor if index >= tail else after
        dilation = 2 if dilated and index >= tail else 1
        found.append(InvertedResidualConfig(before, kernel, wide, after, use_se, activation, stride, dilation, width_mult))
        before = after
    return found


def network(table, last, kinds, weights, options):
    """A MobileNetV3 with the weights that a builder is asked for."""
    picked = chosen(kinds, weights, options)
    width, tail = options.get("width_mult", 1.0), options.get("reduced_tail", False)
    settings = rows(table, width, tail, options.get("dilated", False))
    last_channel = InvertedResidualConfig.adjust_channels(last // (2 if tail else 1), width)
    return with_weights(MobileNetV3(settings, last_channel, **for_weights(picked, options)), picked)


@layer(
    "torchvision.models.MobileNet_V3_Large_Weights", "torchvision.models.mobilenetv3.MobileNet_V3_Large_Weights",
    "torchvision.models.mobilenet.MobileNet_V3_Large_Weights",
)
class MobileNet_V3_Large_Weights(WeightsEnum):
    """Weights of mobilenet_v3_large."""

    IMAGENET1K_V1 = trained_on("mobilenet_v3_large-8738ca79.pth")
    IMAGENET1K_V2 = trained_on("mobilenet_v3_large-5c1a4163.pth", resize_size=232)
    DEFAULT = IMAGENET1K_V2


@equivalent(
    "torchvision.models.mobilenet_v3_large", "torchvision.models.mobilenetv3.mobilenet_v3_large",
    "torchvision.models.mobilenet.mobilenet_v3_large", drops=SHOWN,
)
def mobilenet_v3_large(weights=None, progress=True, **options):
    """The large MobileNetV3."""
    return network(LARGE, 1280, MobileNet_V3_Large_Weights, weights, options)


@layer(
    "torchvision.models.MobileNet_V3_Small_Weights", "torchvision.models.mobilenetv3.MobileNet_V3_Small_Weights",
    "torchvision.models.mobilenet.MobileNet_V3_Small_Weights",
)
class MobileNet_V3_Small_Weights(WeightsEnum):
    """Weights of mobilenet_v3_small."""

    IMAGENET1K_V1 = trained_on("mobilenet_v3_small-047dcff4.pth")
    DEFAULT = IMAGENET1K_V1


@equivalent(
    "torchvision.models.mobilenet_v3_small", "torchvision.models.mobilenetv3.mobilenet_v3_small",
    "torchvision.models.mobilenet.mobilenet_v3_small", drops=SHOWN,
)
def mobilenet_v3_small(weights=None, progress=True, **options):
    """The small MobileNetV3."""
    return network(SMALL, 1024, MobileNet_V3_Small_Weights, weights, options)
