"""Residual networks over videos, with torchvision's names of modules.

Tran et al. 2018 (https://arxiv.org/abs/1711.11248); https://docs.pytorch.org/vision/0.28/models/video_resnet.html.
Convolutions are over time and space, over space alone, or over space and then over time.
"""

from mindspore import nn, ops

from mindport.declare import layer
from mindport.equivalents.initializers import normal_
from mindport.layers.activation import ReLU
from mindport.layers.adaptive_pooling import AdaptiveAvgPool3d
from mindport.layers.convolution import Conv3d
from mindport.layers.linear import Linear
from mindport.layers.normalization import BatchNorm3d
from mindport.layers.vision_models.born_weights import draw

#: Of a single convolution.
UNDIVIDED = {"midplanes": "there is nothing between, in torchvision, too"}


@layer("torchvision.models.video.resnet.Conv3DSimple", drops=UNDIVIDED)
class Conv3DSimple(Conv3d):
    """A convolution over three frames of 3x3: (N, in_planes, T, H, W) becomes (N, out_planes, T/stride, H/stride, W/stride)."""

    def __init__(self, in_planes, out_planes, midplanes=None, stride=1, padding=1):
        super().__init__(in_planes, out_planes, (3, 3, 3), stride, padding, bias=False)

    @staticmethod
    def get_downsample_stride(stride):
        return stride, stride, stride


@layer("torchvision.models.video.resnet.Conv2Plus1D")
class Conv2Plus1D(nn.SequentialCell):
    """A convolution over 3x3 of each frame to `midplanes` channels, then one over three frames."""

    def __init__(self, in_planes, out_planes, midplanes, stride=1, padding=1):
        super().__init__(
            Conv3d(in_planes, midplanes, (1, 3, 3), (1, stride, stride), (0, padding, padding), bias=False), BatchNorm3d(midplanes), ReLU(),
            Conv3d(midplanes, out_planes, (3, 1, 1), (stride, 1, 1), (padding, 0, 0), bias=False),
        )

    @staticmethod
    def get_downsample_stride(stride):
        return stride, stride, stride


@layer("torchvision.models.video.resnet.Conv3DNoTemporal", drops=UNDIVIDED)
class Conv3DNoTemporal(Conv3d):
    """A convolution over 3x3 of each frame: (N, in_planes, T, H, W) becomes (N, out_planes, T, H/stride, W/stride)."""

    def __init__(self, in_planes, out_planes, midplanes=None, stride=1, padding=1):
        super().__init__(in_planes, out_planes, (1, 3, 3), (1, stride, stride), (0, padding, padding), bias=False)

    @staticmethod
    def get_downsample_stride(stride):
        return 1, stride, stride


def middle(inplanes, planes):
    """The channels between the two convolutions of `Conv2Plus1D`, with which it has as many weights as `Conv3DSimple`."""
    return (inplanes * planes * 27) // (inplanes * 9 + 3 * planes)


@layer("torchvision.models.video.resnet.BasicBlock")
class VideoBasicBlock(nn.Cell):
    """Two convolutions of a kind beside a shortcut: (N, inplanes, T, H, W) becomes (N, planes, …)."""

    expansion = 1

    def __init__(self, inplanes, planes, conv_builder, stride=1, downsample=None):
        super().__init__()
        between = middle(inplanes, planes)
        self.conv1 = nn.SequentialCell(conv_builder(inplanes, planes, between, stride), BatchNorm3d(planes), ReLU())
        self.conv2 = nn.SequentialCell(conv_builder(planes, planes, between), BatchNorm3d(planes))
        self.relu = ReLU()
        self.downsample = downsample
        self.stride = stride

    def construct(self, x):
        shortcut = x if self.downsample is None else self.downsample(x)
        return self.relu(self.conv2(self.conv1(x)) + shortcut)


@layer("torchvision.models.video.resnet.Bottleneck")
class VideoBottleneck(nn.Cell):
    """A convolution of a kind between two of 1x1x1, beside a shortcut: (N, inplanes, T, H, W) becomes (N, 4 planes, …)."""

    expansion = 4

    def __init__(self, inplanes, planes, conv_builder, stride=1, downsample=None):
        super().__init__()
        wide = planes * self.expansion
        self.conv1 = nn.SequentialCell(Conv3d(inplanes, planes, 1, bias=False), BatchNorm3d(planes), ReLU())
        self.conv2 = nn.SequentialCell(conv_builder(planes, planes, middle(inplanes, planes), stride), BatchNorm3d(planes), ReLU())
        self.conv3 = nn.SequentialCell(Conv3d(planes, wide, 1, bias=False), BatchNorm3d(wide))
        self.relu = ReLU()
        self.downsample = downsample
        self.stride = stride

    def construct(self, x):
        shortcut = x if self.downsample is None else self.downsample(x)
        return self.relu(self.conv3(self.conv2(self.conv1(x))) + shortcut)


@layer("torchvision.models.video.resnet.BasicStem")
class BasicStem(nn.SequentialCell):
    """A convolution over three frames of 7x7: (N, 3, T, H, W) becomes (N, 64, T, H/2, W/2)."""

    def __init__(self):
        super().__init__(Conv3d(3, 64, (3, 7, 7), (1, 2, 2), (1, 3, 3), bias=False), BatchNorm3d(64), ReLU())


@layer("torchvision.models.video.resnet.R2Plus1dStem")
class R2Plus1dStem(nn.SequentialCell):
    """A convolution over 7x7 of each frame, then one over three frames: (N, 3, T, H, W) becomes (N, 64, T, H/2, W/2)."""

    def __init__(self):
        super().__init__(
            Conv3d(3, 45, (1, 7, 7), (1, 2, 2), (0, 3, 3), bias=False), BatchNorm3d(45), ReLU(),
            Conv3d(45, 64, (3, 1, 1), 1, (1, 0, 0), bias=False), BatchNorm3d(64), ReLU(),
        )


@layer("torchvision.models.video.VideoResNet", "torchvision.models.video.resnet.VideoResNet")
class VideoResNet(nn.Cell):
    """Four stages of residual blocks and a linear layer: videos (N, 3, T, H, W) become (N, num_classes)."""

    def __init__(self, block, conv_makers, layers, stem, num_classes=400, zero_init_residual=False):
        super().__init__()
        self.inplanes = 64
        self.stem = stem()
        self.layer1 = self._make_layer(block, conv_makers[0], 64, layers[0])
        self.layer2 = self._make_layer(block, conv_makers[1], 128, layers[1], 2)
        self.layer3 = self._make_layer(block, conv_makers[2], 256, layers[2], 2)
        self.layer4 = self._make_layer(block, conv_makers[3], 512, layers[3], 2)
        self.avgpool = AdaptiveAvgPool3d((1, 1, 1))
        self.fc = Linear(512 * block.expansion, num_classes)
        draw(self, lambda linear: normal_(linear.weight, 0, 0.01))
        if zero_init_residual and any(isinstance(cell, VideoBottleneck) for _, cell in self.cells_and_names()):
            raise AttributeError("'Bottleneck' object has no attribute 'bn3'")  # in torchvision, too

    def construct(self, x):
        x = self.layer4(self.layer3(self.layer2(self.layer1(self.stem(x)))))
        return self.fc(ops.flatten(self.avgpool(x), start_dim=1))

    def _make_layer(self, block, conv_builder, planes, blocks, stride=1):
        wide = planes * block.expansion
        downsample = None
        if stride != 1 or self.inplanes != wide:
            downsample = nn.SequentialCell(
                Conv3d(self.inplanes, wide, 1, conv_builder.get_downsample_stride(stride), bias=False), BatchNorm3d(wide)
            )
        made = [block(self.inplanes, planes, conv_builder, stride, downsample)]
        self.inplanes = wide
        made += [block(wide, planes, conv_builder) for _ in range(1, blocks)]
        return nn.SequentialCell(*made)
