"""Residual networks: ResNet, ResNeXt and Wide ResNet, with torchvision's names of modules.

He et al. 2015 (https://arxiv.org/abs/1512.03385), Xie et al. 2016 (1611.05431), Zagoruyko and Komodakis 2016 (1605.07146);
https://docs.pytorch.org/vision/0.28/models/resnet.html. The stride of a bottleneck is in its 3x3 convolution.
"""

from mindspore import nn, ops

from mindport.declare import equivalent, layer
from mindport.equivalents.initializers import constant_
from mindport.layers.activation import ReLU
from mindport.layers.adaptive_pooling import AdaptiveAvgPool2d
from mindport.layers.convolution import Conv2d
from mindport.layers.linear import Linear
from mindport.layers.normalization import BatchNorm2d
from mindport.layers.pooling import MaxPool2d
from mindport.layers.vision_models.born_weights import draw


@equivalent("torchvision.models.resnet.conv3x3")
def conv3x3(in_planes, out_planes, stride=1, groups=1, dilation=1):
    """A 3x3 convolution that keeps the size where `stride` is 1."""
    return Conv2d(in_planes, out_planes, 3, stride, dilation, dilation, groups, bias=False)


@equivalent("torchvision.models.resnet.conv1x1")
def conv1x1(in_planes, out_planes, stride=1):
    """A 1x1 convolution without bias."""
    return Conv2d(in_planes, out_planes, 1, stride, bias=False)


@layer("torchvision.models.resnet.BasicBlock")
class BasicBlock(nn.Cell):
    """Two 3x3 convolutions beside a shortcut: (N, inplanes, H, W) becomes (N, planes, H/stride, W/stride)."""

    expansion = 1

    def __init__(
        self, inplanes, planes, stride=1, downsample=None, groups=1, base_width=64, dilation=1, norm_layer=None,
    ):
        super().__init__()
        if groups != 1 or base_width != 64:
            raise ValueError("BasicBlock only supports groups=1 and base_width=64")
        if dilation > 1:
            raise NotImplementedError("Dilation > 1 not supported in BasicBlock")
        norm_layer = BatchNorm2d if norm_layer is None else norm_layer
        self.conv1 = conv3x3(inplanes, planes, stride)
        self.bn1 = norm_layer(planes)
        self.relu = ReLU()
        self.conv2 = conv3x3(planes, planes)
        self.bn2 = norm_layer(planes)
        self.downsample = downsample
        self.stride = stride

    def construct(self, x):
        shortcut = x if self.downsample is None else self.downsample(x)
        x = self.relu(self.bn1(self.conv1(x)))
        return self.relu(self.bn2(self.conv2(x)) + shortcut)


@layer("torchvision.models.resnet.Bottleneck")
class Bottleneck(nn.Cell):
    """Convolutions of 1x1, 3x3 and 1x1 beside a shortcut: (N, inplanes, H, W) becomes (N, 4 planes, H/stride, W/stride)."""

    expansion = 4

    def __init__(
        self, inplanes, planes, stride=1, downsample=None, groups=1, base_width=64, dilation=1, norm_layer=None,
    ):
        super().__init__()
        norm_layer = BatchNorm2d if norm_layer is None else norm_layer
        width = int(planes * (base_width / 64.0)) * groups
        self.conv1 = conv1x1(inplanes, width)
        self.bn1 = norm_layer(width)
        self.conv2 = conv3x3(width, width, stride, groups, dilation)
        self.bn2 = norm_layer(width)
        self.conv3 = conv1x1(width, planes * self.expansion)
        self.bn3 = norm_layer(planes * self.expansion)
        self.relu = ReLU()
        self.downsample = downsample
        self.stride = stride

    def construct(self, x):
        shortcut = x if self.downsample is None else self.downsample(x)
        x = self.relu(self.bn1(self.conv1(x)))
        x = self.relu(self.bn2(self.conv2(x)))
        return self.relu(self.bn3(self.conv3(x)) + shortcut)


@layer("torchvision.models.ResNet", "torchvision.models.resnet.ResNet")
class ResNet(nn.Cell):
    """Four stages of residual blocks and a linear layer: (N, 3, H, W) becomes (N, num_classes)."""

    def __init__(
        self, block, layers, num_classes=1000, zero_init_residual=False, groups=1, width_per_group=64,
        replace_stride_with_dilation=None, norm_layer=None,
    ):
        super().__init__()
        dilate = [False, False, False] if replace_stride_with_dilation is None else replace_stride_with_dilation
        if len(dilate) != 3:
            raise ValueError(f"replace_stride_with_dilation should be None or a 3-element tuple, got {dilate}")
        self._norm_layer = BatchNorm2d if norm_layer is None else norm_layer
        self.inplanes = 64
        self.dilation = 1
        self.groups = groups
        self.base_width = width_per_group
        self.conv1 = Conv2d(3, self.inplanes, 7, 2, 3, bias=False)
        self.bn1 = self._norm_layer(self.inplanes)
        self.relu = ReLU()
        self.maxpool = MaxPool2d(3, 2, 1)
        self.layer1 = self._make_layer(block, 64, layers[0])
        self.layer2 = self._make_layer(block, 128, layers[1], 2, dilate[0])
        self.layer3 = self._make_layer(block, 256, layers[2], 2, dilate[1])
        self.layer4 = self._make_layer(block, 512, layers[3], 2, dilate[2])
        self.avgpool = AdaptiveAvgPool2d((1, 1))
        self.fc = Linear(512 * block.expansion, num_classes)
        draw(self)
        for _, cell in self.cells_and_names():
            if zero_init_residual and isinstance(cell, (BasicBlock, Bottleneck)):
                constant_((cell.bn3 if isinstance(cell, Bottleneck) else cell.bn2).gamma, 0)

    def _make_layer(self, block, planes, blocks, stride=1, dilate=False):
        before = self.dilation
        if dilate:
            self.dilation *= stride
            stride = 1
        downsample = None
        if stride != 1 or self.inplanes != planes * block.expansion:
            downsample = nn.SequentialCell(
                conv1x1(self.inplanes, planes * block.expansion, stride), self._norm_layer(planes * block.expansion)
            )
        made = [block(self.inplanes, planes, stride, downsample, self.groups, self.base_width, before, self._norm_layer)]
        self.inplanes = planes * block.expansion
        for _ in range(1, blocks):
            made.append(
                block(
                    self.inplanes, planes, groups=self.groups, base_width=self.base_width, dilation=self.dilation,
                    norm_layer=self._norm_layer,
                )
            )
        return nn.SequentialCell(*made)

    def _forward_impl(self, x):
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        return self.fc(ops.flatten(self.avgpool(x), start_dim=1))

    def construct(self, x):
        return self._forward_impl(x)
