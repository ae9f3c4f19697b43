"""Inception v3, with torchvision's names of modules: branches of small convolutions side by side.

Szegedy et al. 2015 (https://arxiv.org/abs/1512.00567); https://docs.pytorch.org/vision/0.28/models/inception.html.
"""

from collections import namedtuple

from mindspore import nn, ops

from mindport.declare import equivalent, layer
from mindport.equivalents.pooling import avg_pool2d, max_pool2d
from mindport.layers.adaptive_pooling import AdaptiveAvgPool2d
from mindport.layers.dropout import Dropout
from mindport.layers.linear import Linear
from mindport.layers.pooling import MaxPool2d
from mindport.layers.vision_models.inception_parts import BasicConv2d, drawn_narrowly, options_of, recoloured
from mindport.layers.vision_models.pretrained import SHOWN, WeightsEnum, chosen, trained_on, with_weights


@layer("torchvision.models.InceptionOutputs", "torchvision.models.inception.InceptionOutputs", "torchvision.models._InceptionOutputs", "torchvision.models.inception._InceptionOutputs")
class InceptionOutputs(namedtuple("InceptionOutputs", ["logits", "aux_logits"])):
    """What the network gives in training: its own scores, and those of the auxiliary head."""

    __slots__ = ()


class Branches(nn.Cell):
    """Several ways through one block, joined by channels."""

    def construct(self, x):
        return ops.cat(self._forward(x), 1)


@layer("torchvision.models.inception.InceptionA")
class InceptionA(Branches):
    """Windows of 1, 3 and 5: (N, in_channels, H, W) becomes (N, 224 + pool_features, H, W)."""

    def __init__(self, in_channels, pool_features, conv_block=None):
        super().__init__()
        block = BasicConv2d if conv_block is None else conv_block
        self.branch1x1 = block(in_channels, 64, kernel_size=1)
        self.branch5x5_1 = block(in_channels, 48, kernel_size=1)
        self.branch5x5_2 = block(48, 64, kernel_size=5, padding=2)
        self.branch3x3dbl_1 = block(in_channels, 64, kernel_size=1)
        self.branch3x3dbl_2 = block(64, 96, kernel_size=3, padding=1)
        self.branch3x3dbl_3 = block(96, 96, kernel_size=3, padding=1)
        self.branch_pool = block(in_channels, pool_features, kernel_size=1)

    def _forward(self, x):
        five = self.branch5x5_2(self.branch5x5_1(x))
        double = self.branch3x3dbl_3(self.branch3x3dbl_2(self.branch3x3dbl_1(x)))
        return [self.branch1x1(x), five, double, self.branch_pool(avg_pool2d(x, 3, 1, 1))]


@layer("torchvision.models.inception.InceptionB")
class InceptionB(Branches):
    """Half the size: (N, in_channels, H, W) becomes (N, 480 + in_channels, H/2, W/2)."""

    def __init__(self, in_channels, conv_block=None):
        super().__init__()
        block = BasicConv2d if conv_block is None else conv_block
        self.branch3x3 = block(in_channels, 384, kernel_size=3, stride=2)
        self.branch3x3dbl_1 = block(in_channels, 64, kernel_size=1)
        self.branch3x3dbl_2 = block(64, 96, kernel_size=3, padding=1)
        self.branch3x3dbl_3 = block(96, 96, kernel_size=3, stride=2)

    def _forward(self, x):
        double = self.branch3x3dbl_3(self.branch3x3dbl_2(self.branch3x3dbl_1(x)))
        return [self.branch3x3(x), double, max_pool2d(x, 3, 2)]


@layer("torchvision.models.inception.InceptionC")
class InceptionC(Branches):
    """Windows of seven in one axis after the other: (N, in_channels, H, W) becomes (N, 768, H, W)."""

    def __init__(self, in_channels, channels_7x7, conv_block=None):
        super().__init__()
        block = BasicConv2d if conv_block is None else conv_block
        narrow = channels_7x7
        self.branch1x1 = block(in_channels, 192, kernel_size=1)
        self.branch7x7_1 = block(in_channels, narrow, kernel_size=1)
        self.branch7x7_2 = block(narrow, narrow, kernel_size=(1, 7), padding=(0, 3))
        self.branch7x7_3 = block(narrow, 192, kernel_size=(7, 1), padding=(3, 0))
        self.branch7x7dbl_1 = block(in_channels, narrow, kernel_size=1)
        self.branch7x7dbl_2 = block(narrow, narrow, kernel_size=(7, 1), padding=(3, 0))
        self.branch7x7dbl_3 = block(narrow, narrow, kernel_size=(1, 7), padding=(0, 3))
        self.branch7x7dbl_4 = block(narrow, narrow, kernel_size=(7, 1), padding=(3, 0))
        self.branch7x7dbl_5 = block(narrow, 192, kernel_size=(1, 7), padding=(0, 3))
        self.branch_pool = block(in_channels, 192, kernel_size=1)

    def _forward(self, x):
        seven = self.branch7x7_3(self.branch7x7_2(self.branch7x7_1(x)))
        double = self.branch7x7dbl_3(self.branch7x7dbl_2(self.branch7x7dbl_1(x)))
        double = self.branch7x7dbl_5(self.branch7x7dbl_4(double))
        return [self.branch1x1(x), seven, double, self.branch_pool(avg_pool2d(x, 3, 1, 1))]


@layer("torchvision.models.inception.InceptionD")
class InceptionD(Branches):
    """Half the size: (N, in_channels, H, W) becomes (N, 512 + in_channels, H/2, W/2)."""

    def __init__(self, in_channels, conv_block=None):
        super().__init__()
        block = BasicConv2d if conv_block is None else conv_block
        self.branch3x3_1 = block(in_channels, 192, kernel_size=1)
        self.branch3x3_2 = block(192, 320, kernel_size=3, stride=2)
        self.branch7x7x3_1 = block(in_channels, 192, kernel_size=1)
        self.branch7x7x3_2 = block(192, 192, kernel_size=(1, 7), padding=(0, 3))
        self.branch7x7x3_3 = block(192, 192, kernel_size=(7, 1), padding=(3, 0))
        self.branch7x7x3_4 = block(192, 192, kernel_size=3, stride=2)

    def _forward(self, x):
        seven = self.branch7x7x3_4(self.branch7x7x3_3(self.branch7x7x3_2(self.branch7x7x3_1(x))))
        return [self.branch3x3_2(self.branch3x3_1(x)), seven, max_pool2d(x, 3, 2)]


@layer("torchvision.models.inception.InceptionE")
class InceptionE(Branches):
    """Windows that part in two: (N, in_channels, H, W) becomes (N, 2048, H, W)."""

    def __init__(self, in_channels, conv_block=None):
        super().__init__()
        block = BasicConv2d if conv_block is None else conv_block
        self.branch1x1 = block(in_channels, 320, kernel_size=1)
        self.branch3x3_1 = block(in_channels, 384, kernel_size=1)
        self.branch3x3_2a = block(384, 384, kernel_size=(1, 3), padding=(0, 1))
        self.branch3x3_2b = block(384, 384, kernel_size=(3, 1), padding=(1, 0))
        self.branch3x3dbl_1 = block(in_channels, 448, kernel_size=1)
        self.branch3x3dbl_2 = block(448, 384, kernel_size=3, padding=1)
        self.branch3x3dbl_3a = block(384, 384, kernel_size=(1, 3), padding=(0, 1))
        self.branch3x3dbl_3b = block(384, 384, kernel_size=(3, 1), padding=(1, 0))
        self.branch_pool = block(in_channels, 192, kernel_size=1)

    def _forward(self, x):
        three = self.branch3x3_1(x)
        three = ops.cat((self.branch3x3_2a(three), self.branch3x3_2b(three)), 1)
        double = self.branch3x3dbl_2(self.branch3x3dbl_1(x))
        double = ops.cat((self.branch3x3dbl_3a(double), self.branch3x3dbl_3b(double)), 1)
        return [self.branch1x1(x), three, double, self.branch_pool(avg_pool2d(x, 3, 1, 1))]


@layer("torchvision.models.inception.InceptionAux")
class InceptionAux(nn.Cell):
    """The auxiliary head: (N, in_channels, 17, 17) becomes (N, num_classes)."""

    def __init__(self, in_channels, num_classes, conv_block=None):
        super().__init__()
        block = BasicConv2d if conv_block is None else conv_block
        self.conv0 = block(in_channels, 128, kernel_size=1)
        self.conv1 = block(128, 768, kernel_size=5)
        self.conv1.stddev = 0.01
        self.fc = Linear(768, num_classes)
        self.fc.stddev = 0.001

    def construct(self, x):
        x = self.conv1(self.conv0(avg_pool2d(x, 5, 3)))
        return self.fc(ops.mean(x, (2, 3)))


@layer("torchvision.models.Inception3", "torchvision.models.inception.Inception3")
class Inception3(nn.Cell):
    """(N, 3, H, W), from 75 by 75, becomes (N, num_classes); in training with `aux_logits` an `InceptionOutputs`."""

    def __init__(
        self, num_classes=1000, aux_logits=True, transform_input=False, inception_blocks=None, init_weights=None, dropout=0.5,
    ):
        super().__init__()
        if inception_blocks is None:
            inception_blocks = [BasicConv2d, InceptionA, InceptionB, InceptionC, InceptionD, InceptionE, InceptionAux]
        if len(inception_blocks) != 7:
            raise ValueError(f"length of inception_blocks should be 7 instead of {len(inception_blocks)}")
        block, a, b, c, d, e, aux = inception_blocks
        self.aux_logits = aux_logits
        self.transform_input = transform_input
        self.Conv2d_1a_3x3 = block(3, 32, kernel_size=3, stride=2)
        self.Conv2d_2a_3x3 = block(32, 32, kernel_size=3)
        self.Conv2d_2b_3x3 = block(32, 64, kernel_size=3, padding=1)
        self.maxpool1 = MaxPool2d(3, 2)
        self.Conv2d_3b_1x1 = block(64, 80, kernel_size=1)
        self.Conv2d_4a_3x3 = block(80, 192, kernel_size=3)
        self.maxpool2 = MaxPool2d(3, 2)
        self.Mixed_5b = a(192, pool_features=32)
        self.Mixed_5c = a(256, pool_features=64)
        self.Mixed_5d = a(288, pool_features=64)
        self.Mixed_6a = b(288)
        self.Mixed_6b = c(768, channels_7x7=128)
        self.Mixed_6c = c(768, channels_7x7=160)
        self.Mixed_6d = c(768, channels_7x7=160)
        self.Mixed_6e = c(768, channels_7x7=192)
        self.AuxLogits = aux(768, num_classes) if aux_logits else None
        self.Mixed_7a = d(768)
        self.Mixed_7b = e(1280)
        self.Mixed_7c = e(2048)
        self.avgpool = AdaptiveAvgPool2d((1, 1))
        self.dropout = Dropout(dropout)
        self.fc = Linear(2048, num_classes)
        if init_weights is None or init_weights:
            drawn_narrowly(self, 0.1)

    def _transform_input(self, x):
        return recoloured(x) if self.transform_input else x

    def _forward(self, x):
        x = self.maxpool1(self.Conv2d_2b_3x3(self.Conv2d_2a_3x3(self.Conv2d_1a_3x3(x))))
        x = self.maxpool2(self.Conv2d_4a_3x3(self.Conv2d_3b_1x1(x)))
        x = self.Mixed_5d(self.Mixed_5c(self.Mixed_5b(x)))
        x = self.Mixed_6e(self.Mixed_6d(self.Mixed_6c(self.Mixed_6b(self.Mixed_6a(x)))))
        auxiliary = self.AuxLogits(x) if self.AuxLogits is not None and self.training else None
        x = self.avgpool(self.Mixed_7c(self.Mixed_7b(self.Mixed_7a(x))))
        return self.fc(ops.flatten(self.dropout(x), start_dim=1)), auxiliary

    def eager_outputs(self, x, aux):
        return InceptionOutputs(x, aux) if self.training and self.aux_logits else x

    def construct(self, x):
        x, auxiliary = self._forward(self._transform_input(x))
        return self.eager_outputs(x, auxiliary)


@layer("torchvision.models.Inception_V3_Weights", "torchvision.models.inception.Inception_V3_Weights")
class Inception_V3_Weights(WeightsEnum):
    """Weights of inception_v3."""

    IMAGENET1K_V1 = trained_on("inception_v3_google-0cc3c7bd.pth", crop_size=299, resize_size=342)
    DEFAULT = IMAGENET1K_V1


@equivalent("torchvision.models.inception_v3", "torchvision.models.inception.inception_v3", drops=SHOWN)
def inception_v3(weights=None, progress=True, **options):
    """Inception v3. Its weights have the auxiliary head, and want `transform_input` unless it is given."""
    picked = chosen(Inception_V3_Weights, weights, options)
    return with_weights(Inception3(**options_of(picked, options)), picked)
