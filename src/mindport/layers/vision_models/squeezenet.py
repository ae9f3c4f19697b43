"""SqueezeNet: convolutions of 1x1 and 3x3 side by side behind narrow ones, with torchvision's names of modules.

Iandola et al. 2016 (https://arxiv.org/abs/1602.07360); https://docs.pytorch.org/vision/0.28/models/squeezenet.html.
"""

from mindspore import nn, ops

from mindport.declare import equivalent, layer
from mindport.equivalents.initializers import constant_, kaiming_uniform_, normal_
from mindport.layers.activation import ReLU
from mindport.layers.adaptive_pooling import AdaptiveAvgPool2d
from mindport.layers.convolution import Conv2d
from mindport.layers.dropout import Dropout
from mindport.layers.pooling import MaxPool2d
from mindport.layers.vision_models.pretrained import (
    SHOWN,
    WeightsEnum,
    chosen,
    for_weights,
    trained_on,
    with_weights,
)


@layer("torchvision.models.squeezenet.Fire")
class Fire(nn.Cell):
    """(N, inplanes, H, W) becomes (N, expand1x1_planes + expand3x3_planes, H, W)."""

    def __init__(self, inplanes, squeeze_planes, expand1x1_planes, expand3x3_planes):
        super().__init__()
        self.inplanes = inplanes
        self.squeeze = Conv2d(inplanes, squeeze_planes, 1)
        self.squeeze_activation = ReLU()
        self.expand1x1 = Conv2d(squeeze_planes, expand1x1_planes, 1)
        self.expand1x1_activation = ReLU()
        self.expand3x3 = Conv2d(squeeze_planes, expand3x3_planes, 3, padding=1)
        self.expand3x3_activation = ReLU()

    def construct(self, x):
        x = self.squeeze_activation(self.squeeze(x))
        return ops.cat((self.expand1x1_activation(self.expand1x1(x)), self.expand3x3_activation(self.expand3x3(x))), 1)


def trunk(version):
    """The convolutions of a version of the network."""
    if version == "1_0":
        return [
            Conv2d(3, 96, 7, 2), ReLU(), MaxPool2d(3, 2, ceil_mode=True),
            Fire(96, 16, 64, 64), Fire(128, 16, 64, 64), Fire(128, 32, 128, 128), MaxPool2d(3, 2, ceil_mode=True),
            Fire(256, 32, 128, 128), Fire(256, 48, 192, 192), Fire(384, 48, 192, 192), Fire(384, 64, 256, 256),
            MaxPool2d(3, 2, ceil_mode=True), Fire(512, 64, 256, 256),
        ]  # fmt: skip
    if version == "1_1":
        return [
            Conv2d(3, 64, 3, 2), ReLU(), MaxPool2d(3, 2, ceil_mode=True),
            Fire(64, 16, 64, 64), Fire(128, 16, 64, 64), MaxPool2d(3, 2, ceil_mode=True),
            Fire(128, 32, 128, 128), Fire(256, 32, 128, 128), MaxPool2d(3, 2, ceil_mode=True),
            Fire(256, 48, 192, 192), Fire(384, 48, 192, 192), Fire(384, 64, 256, 256), Fire(512, 64, 256, 256),
        ]  # fmt: skip
    raise ValueError(f"Unsupported SqueezeNet version {version}: 1_0 or 1_1 expected")


@layer("torchvision.models.SqueezeNet", "torchvision.models.squeezenet.SqueezeNet")
class SqueezeNet(nn.Cell):
    """Convolutions alone: (N, 3, H, W) becomes (N, num_classes)."""

    def __init__(self, version="1_0", num_classes=1000, dropout=0.5):
        super().__init__()
        self.num_classes = num_classes
        self.features = nn.SequentialCell(*trunk(version))
        last = Conv2d(512, num_classes, 1)
        self.classifier = nn.SequentialCell(Dropout(dropout), last, ReLU(), AdaptiveAvgPool2d((1, 1)))
        for _, cell in self.cells_and_names():
            if isinstance(cell, nn.Conv2d):
                kaiming_uniform_(cell.weight)
                constant_(cell.bias, 0)
        normal_(last.weight, 0.0, 0.01)

    def construct(self, x):
        return ops.flatten(self.classifier(self.features(x)), start_dim=1)


def squeezed(version, kinds, weights, options):
    """A SqueezeNet with the weights that a builder is asked for."""
    picked = chosen(kinds, weights, options)
    return with_weights(SqueezeNet(version, **for_weights(picked, options)), picked)


@layer("torchvision.models.SqueezeNet1_0_Weights", "torchvision.models.squeezenet.SqueezeNet1_0_Weights")
class SqueezeNet1_0_Weights(WeightsEnum):
    """Weights of squeezenet1_0."""

    IMAGENET1K_V1 = trained_on("squeezenet1_0-b66bff10.pth")
    DEFAULT = IMAGENET1K_V1


@equivalent("torchvision.models.squeezenet1_0", "torchvision.models.squeezenet.squeezenet1_0", drops=SHOWN)
def squeezenet1_0(weights=None, progress=True, **options):
    """SqueezeNet as in the paper."""
    return squeezed("1_0", SqueezeNet1_0_Weights, weights, options)


@layer("torchvision.models.SqueezeNet1_1_Weights", "torchvision.models.squeezenet.SqueezeNet1_1_Weights")
class SqueezeNet1_1_Weights(WeightsEnum):
    """Weights of squeezenet1_1."""

    IMAGENET1K_V1 = trained_on("squeezenet1_1-b8a52dc0.pth")
    DEFAULT = IMAGENET1K_V1


@equivalent("torchvision.models.squeezenet1_1", "torchvision.models.squeezenet.squeezenet1_1", drops=SHOWN)
def squeezenet1_1(weights=None, progress=True, **options):
    """SqueezeNet with fewer multiplications."""
    return squeezed("1_1", SqueezeNet1_1_Weights, weights, options)
