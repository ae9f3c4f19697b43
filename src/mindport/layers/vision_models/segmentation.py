"""Segmentation: FCN and DeepLabV3 over dilated residual networks, with torchvision's names of modules.

Long et al. 2014 (https://arxiv.org/abs/1411.4038), Chen et al. 2017 (1706.05587);
https://docs.pytorch.org/vision/0.28/models.html#semantic-segmentation.
"""

from collections import OrderedDict

from mindspore import nn, ops

from mindport.declare import layer
from mindport.equivalents.resampling import interpolate
from mindport.layers.activation import ReLU
from mindport.layers.adaptive_pooling import AdaptiveAvgPool2d
from mindport.layers.convolution import Conv2d
from mindport.layers.dropout import Dropout
from mindport.layers.normalization import BatchNorm2d

S = "torchvision.models.segmentation."


@layer(S + "_utils._SimpleSegmentationModel")
class SegmentationModel(nn.Cell):
    """Scores of every pixel: (N, 3, H, W) becomes "out" of (N, num_classes, H, W), and "aux" where there is an auxiliary classifier.

    `backbone` gives features under the same names.
    """

    def __init__(self, backbone, classifier, aux_classifier=None):
        super().__init__()
        self.backbone = backbone
        self.classifier = classifier
        self.aux_classifier = aux_classifier

    def construct(self, x):
        size = x.shape[-2:]
        features = self.backbone(x)
        found = OrderedDict()
        found["out"] = interpolate(self.classifier(features["out"]), size, mode="bilinear", align_corners=False)
        if self.aux_classifier is not None:
            found["aux"] = interpolate(self.aux_classifier(features["aux"]), size, mode="bilinear", align_corners=False)
        return found


@layer(S + "FCN", S + "fcn.FCN")
class FCN(SegmentationModel):
    """A segmentation by convolutions alone."""


@layer(S + "DeepLabV3", S + "deeplabv3.DeepLabV3")
class DeepLabV3(SegmentationModel):
    """A segmentation with several dilations side by side."""


@layer(S + "fcn.FCNHead")
class FCNHead(nn.SequentialCell):
    """(N, in_channels, H, W) becomes (N, channels, H, W)."""

    def __init__(self, in_channels, channels):
        inner = in_channels // 4
        super().__init__(
            Conv2d(in_channels, inner, 3, padding=1, bias=False), BatchNorm2d(inner), ReLU(), Dropout(0.1),
            Conv2d(inner, channels, 1),
        )


@layer(S + "deeplabv3.ASPPConv")
class ASPPConv(nn.SequentialCell):
    """A dilated convolution, normalised, with ReLU behind."""

    def __init__(self, in_channels, out_channels, dilation):
        super().__init__(
            Conv2d(in_channels, out_channels, 3, padding=dilation, dilation=dilation, bias=False),
            BatchNorm2d(out_channels), ReLU(),
        )  # fmt: skip


@layer(S + "deeplabv3.ASPPPooling")
class ASPPPooling(nn.SequentialCell):
    """The mean of the whole image at every pixel."""

    def __init__(self, in_channels, out_channels):
        super().__init__(
            AdaptiveAvgPool2d(1), Conv2d(in_channels, out_channels, 1, bias=False), BatchNorm2d(out_channels), ReLU(),
        )

    def construct(self, x):
        return interpolate(super().construct(x), x.shape[-2:], mode="bilinear", align_corners=False)


@layer(S + "deeplabv3.ASPP")
class ASPP(nn.Cell):
    """Several dilations and the whole image side by side: (N, in_channels, H, W) becomes (N, out_channels, H, W)."""

    def __init__(self, in_channels, atrous_rates, out_channels=256):
        super().__init__()
        near = nn.SequentialCell(Conv2d(in_channels, out_channels, 1, bias=False), BatchNorm2d(out_channels), ReLU())
        wide = [ASPPConv(in_channels, out_channels, rate) for rate in atrous_rates]
        self.convs = nn.CellList([near, *wide, ASPPPooling(in_channels, out_channels)])
        self.project = nn.SequentialCell(
            Conv2d(len(self.convs) * out_channels, out_channels, 1, bias=False), BatchNorm2d(out_channels), ReLU(), Dropout(0.5),
        )

    def construct(self, x):
        return self.project(ops.cat([branch(x) for branch in self.convs], 1))


@layer(S + "deeplabv3.DeepLabHead")
class DeepLabHead(nn.SequentialCell):
    """(N, in_channels, H, W) becomes (N, num_classes, H, W)."""

    def __init__(self, in_channels, num_classes, atrous_rates=(12, 24, 36)):
        super().__init__(
            ASPP(in_channels, atrous_rates), Conv2d(256, 256, 3, padding=1, bias=False), BatchNorm2d(256), ReLU(),
            Conv2d(256, num_classes, 1),
        )
