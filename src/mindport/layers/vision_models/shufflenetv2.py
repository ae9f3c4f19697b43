"""ShuffleNet V2, its builders and the weights that PyTorch publishes for them.

Ma et al. 2018 (https://arxiv.org/abs/1807.11164); https://docs.pytorch.org/vision/0.28/models/shufflenetv2.html.
"""

from mindspore import nn, ops

from mindport.declare import equivalent, layer
from mindport.layers.activation import ReLU
from mindport.layers.container import Sequential
from mindport.layers.convolution import Conv2d
from mindport.layers.linear import Linear
from mindport.layers.normalization import BatchNorm2d
from mindport.layers.pooling import MaxPool2d
from mindport.layers.vision_models.pretrained import (
    SHOWN,
    WeightsEnum,
    chosen,
    for_weights,
    trained_on,
    with_weights,
)


@equivalent("torchvision.models.shufflenetv2.channel_shuffle")
def channel_shuffle(x, groups):
    """The channels of (N, C, H, W) in another order: one of every group, then the next of every group."""
    count, channels, height, width = x.shape
    apart = ops.reshape(x, (count, groups, channels // groups, height, width))
    return ops.reshape(ops.permute(apart, (0, 2, 1, 3, 4)), (count, channels, height, width))


@layer("torchvision.models.shufflenetv2.InvertedResidual")
class InvertedResidual(nn.Cell):
    """Half of the channels (all where `stride` is more than 1) through three convolutions, beside the rest: (N, oup, H/stride, W/stride)."""

    def __init__(self, inp, oup, stride):
        super().__init__()
        if not 1 <= stride <= 3:
            raise ValueError("illegal stride value")
        self.stride = stride
        half = oup // 2
        if stride == 1 and inp != half * 2:
            raise ValueError(
                f"Invalid combination of stride {stride}, inp {inp} and oup {oup} values. If stride == 1 then inp should be equal to oup // 2 << 1."
            )
        self.branch1 = Sequential()
        if stride > 1:
            self.branch1 = nn.SequentialCell(
                self.depthwise_conv(inp, inp, 3, stride, 1), BatchNorm2d(inp), Conv2d(inp, half, 1, bias=False), BatchNorm2d(half), ReLU()
            )
        self.branch2 = nn.SequentialCell(
            Conv2d(inp if stride > 1 else half, half, 1, bias=False), BatchNorm2d(half), ReLU(),
            self.depthwise_conv(half, half, 3, stride, 1), BatchNorm2d(half),
            Conv2d(half, half, 1, bias=False), BatchNorm2d(half), ReLU(),
        )

    @staticmethod
    def depthwise_conv(i, o, kernel_size, stride=1, padding=0, bias=False):
        return Conv2d(i, o, kernel_size, stride, padding, groups=i, bias=bias)

    def construct(self, x):
        if self.stride > 1:
            kept, changed = self.branch1(x), self.branch2(x)
        else:
            kept, other = ops.chunk(x, 2, 1)
            changed = self.branch2(other)
        return channel_shuffle(ops.cat((kept, changed), 1), 2)


@layer("torchvision.models.ShuffleNetV2", "torchvision.models.shufflenetv2.ShuffleNetV2")
class ShuffleNetV2(nn.Cell):
    """A convolution, three stages of blocks, a convolution and a linear layer: (N, 3, H, W) becomes (N, num_classes)."""

    def __init__(self, stages_repeats, stages_out_channels, num_classes=1000, inverted_residual=InvertedResidual):
        super().__init__()
        if len(stages_repeats) != 3:
            raise ValueError("expected stages_repeats as list of 3 positive ints")
        if len(stages_out_channels) != 5:
            raise ValueError("expected stages_out_channels as list of 5 positive ints")
        self._stage_out_channels = stages_out_channels
        width, *stages, last = stages_out_channels
        self.conv1 = nn.SequentialCell(Conv2d(3, width, 3, 2, 1, bias=False), BatchNorm2d(width), ReLU())
        self.maxpool = MaxPool2d(3, 2, 1)
        for place, (repeats, wider) in enumerate(zip(stages_repeats, stages)):
            blocks = [inverted_residual(width, wider, 2)] + [inverted_residual(wider, wider, 1) for _ in range(repeats - 1)]
            setattr(self, f"stage{place + 2}", nn.SequentialCell(*blocks))
            width = wider
        self.conv5 = nn.SequentialCell(Conv2d(width, last, 1, bias=False), BatchNorm2d(last), ReLU())
        self.fc = Linear(last, num_classes)

    def _forward_impl(self, x):
        x = self.maxpool(self.conv1(x))
        x = self.conv5(self.stage4(self.stage3(self.stage2(x))))
        return self.fc(ops.mean(x, (2, 3)))

    def construct(self, x):
        return self._forward_impl(x)


def shuffled_network(stages_repeats, stages_out_channels, kinds, weights, options):
    """A ShuffleNet with the weights that a builder is asked for."""
    picked = chosen(kinds, weights, options)
    return with_weights(ShuffleNetV2(stages_repeats, stages_out_channels, **for_weights(picked, options)), picked)


@layer("torchvision.models.ShuffleNet_V2_X0_5_Weights", "torchvision.models.shufflenetv2.ShuffleNet_V2_X0_5_Weights")
class ShuffleNet_V2_X0_5_Weights(WeightsEnum):
    """Weights of shufflenet_v2_x0_5."""

    IMAGENET1K_V1 = trained_on("shufflenetv2_x0.5-f707e7126e.pth")
    DEFAULT = IMAGENET1K_V1


@equivalent("torchvision.models.shufflenet_v2_x0_5", "torchvision.models.shufflenetv2.shufflenet_v2_x0_5", drops=SHOWN)
def shufflenet_v2_x0_5(weights=None, progress=True, **options):
    """A ShuffleNet V2 of half the width."""
    return shuffled_network([4, 8, 4], [24, 48, 96, 192, 1024], ShuffleNet_V2_X0_5_Weights, weights, options)


@layer("torchvision.models.ShuffleNet_V2_X1_0_Weights", "torchvision.models.shufflenetv2.ShuffleNet_V2_X1_0_Weights")
class ShuffleNet_V2_X1_0_Weights(WeightsEnum):
    """Weights of shufflenet_v2_x1_0."""

    IMAGENET1K_V1 = trained_on("shufflenetv2_x1-5666bf0f80.pth")
    DEFAULT = IMAGENET1K_V1


@equivalent("torchvision.models.shufflenet_v2_x1_0", "torchvision.models.shufflenetv2.shufflenet_v2_x1_0", drops=SHOWN)
def shufflenet_v2_x1_0(weights=None, progress=True, **options):
    """A ShuffleNet V2."""
    return shuffled_network([4, 8, 4], [24, 116, 232, 464, 1024], ShuffleNet_V2_X1_0_Weights, weights, options)


@layer("torchvision.models.ShuffleNet_V2_X1_5_Weights", "torchvision.models.shufflenetv2.ShuffleNet_V2_X1_5_Weights")
class ShuffleNet_V2_X1_5_Weights(WeightsEnum):
    """Weights of shufflenet_v2_x1_5."""

    IMAGENET1K_V1 = trained_on("shufflenetv2_x1_5-3c479a10.pth", resize_size=232)
    DEFAULT = IMAGENET1K_V1


@equivalent("torchvision.models.shufflenet_v2_x1_5", "torchvision.models.shufflenetv2.shufflenet_v2_x1_5", drops=SHOWN)
def shufflenet_v2_x1_5(weights=None, progress=True, **options):
    """A ShuffleNet V2, one and a half as wide."""
    return shuffled_network([4, 8, 4], [24, 176, 352, 704, 1024], ShuffleNet_V2_X1_5_Weights, weights, options)


@layer("torchvision.models.ShuffleNet_V2_X2_0_Weights", "torchvision.models.shufflenetv2.ShuffleNet_V2_X2_0_Weights")
class ShuffleNet_V2_X2_0_Weights(WeightsEnum):
    """Weights of shufflenet_v2_x2_0."""

    IMAGENET1K_V1 = trained_on("shufflenetv2_x2_0-8be3c8ee.pth", resize_size=232)
    DEFAULT = IMAGENET1K_V1


@equivalent("torchvision.models.shufflenet_v2_x2_0", "torchvision.models.shufflenetv2.shufflenet_v2_x2_0", drops=SHOWN)
def shufflenet_v2_x2_0(weights=None, progress=True, **options):
    """A ShuffleNet V2, twice as wide."""
    return shuffled_network([4, 8, 4], [24, 244, 488, 976, 2048], ShuffleNet_V2_X2_0_Weights, weights, options)
