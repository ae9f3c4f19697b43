"""U-Net of three levels, written for MindSpore."""

import mindspore.nn as nn
import mindspore.ops as ops


def double(inside, outside):
    """Twice a convolution, a normalisation and ReLU."""
    return nn.SequentialCell(
        nn.Conv2d(inside, outside, 3, pad_mode="same", has_bias=False), nn.BatchNorm2d(outside), nn.ReLU(),
        nn.Conv2d(outside, outside, 3, pad_mode="same", has_bias=False), nn.BatchNorm2d(outside), nn.ReLU(),
    )  # fmt: skip


class UNet(nn.Cell):
    """Down twice, up twice."""

    def __init__(self, channels=3, classes=2, width=16):
        super().__init__()
        self.start = double(channels, width)
        self.down1 = double(width, width * 2)
        self.down2 = double(width * 2, width * 4)
        self.pool = nn.MaxPool2d(2, 2)
        self.up1 = nn.Conv2dTranspose(width * 4, width * 2, 2, stride=2, has_bias=True)
        self.conv1 = double(width * 4, width * 2)
        self.up2 = nn.Conv2dTranspose(width * 2, width, 2, stride=2, has_bias=True)
        self.conv2 = double(width * 2, width)
        self.out = nn.Conv2d(width, classes, 1, has_bias=True)

    def construct(self, x):
        x1 = self.start(x)
        x2 = self.down1(self.pool(x1))
        x3 = self.down2(self.pool(x2))
        y = self.conv1(ops.cat((x2, self.up1(x3)), 1))
        y = self.conv2(ops.cat((x1, self.up2(y)), 1))
        return self.out(y)
