"""A one-stage detector with anchor boxes on two scales."""

import math

import torch
import torch.nn as nn


class ConvBlock(nn.Module):
    def __init__(self, c_in, c_out, kernel=1, stride=1, groups=1, act=True):
        super().__init__()
        self.conv = nn.Conv2d(c_in, c_out, kernel, stride, padding=kernel // 2, groups=groups, bias=False)
        self.bn = nn.BatchNorm2d(c_out)
        self.act = nn.SiLU(inplace=True) if act else nn.Identity()

    def forward(self, x):
        return self.act(self.bn(self.conv(x)))


class Residual(nn.Module):
    def __init__(self, channels, expansion=0.5):
        super().__init__()
        hidden = int(channels * expansion)
        self.block = nn.Sequential(ConvBlock(channels, hidden), ConvBlock(hidden, channels, 3))

    def forward(self, x):
        return x + self.block(x)


class DetectionHead(nn.Module):
    """One 1 x 1 convolution a scale; its output is (batch, anchor, row, column, box + objectness + classes)."""

    def __init__(self, num_classes, anchors, channels, strides):
        super().__init__()
        self.num_classes = num_classes
        self.num_outputs = 5 + num_classes
        self.strides = strides
        anchors = torch.tensor(anchors, dtype=torch.float32)
        self.num_anchors = anchors.shape[1]
        # in cells of each scale's grid
        self.register_buffer("anchors", anchors / torch.tensor(strides).view(-1, 1, 1))
        self.convs = nn.ModuleList(nn.Conv2d(c, self.num_anchors * self.num_outputs, 1) for c in channels)
        self.reset_biases()

    @torch.no_grad()
    def reset_biases(self, prior=0.02):
        """Objects are rare: without this the first steps only learn that."""
        for conv in self.convs:
            bias = conv.bias.view(self.num_anchors, -1)
            bias[:, 4] = -math.log((1 - prior) / prior)
            bias[:, 5:] += math.log(0.6 / (self.num_classes - 0.99))

    def forward(self, features):
        outputs = []
        for conv, x in zip(self.convs, features):
            x = conv(x)
            b, _, h, w = x.shape
            outputs.append(x.view(b, self.num_anchors, self.num_outputs, h, w).permute(0, 1, 3, 4, 2).contiguous())
        return outputs


class Detector(nn.Module):
    anchors = (((10, 10), (14, 20), (20, 14)), ((24, 24), (20, 28), (28, 20)))

    def __init__(self, num_classes=3, width=8):
        super().__init__()
        w = width
        self.stem = nn.Sequential(ConvBlock(3, w, 3, 2), ConvBlock(w, 2 * w, 3, 2), Residual(2 * w))
        self.stage8 = nn.Sequential(ConvBlock(2 * w, 4 * w, 3, 2), Residual(4 * w))
        self.stage16 = nn.Sequential(ConvBlock(4 * w, 8 * w, 3, 2), Residual(8 * w))
        self.lateral = ConvBlock(8 * w, 4 * w)
        self.upsample = nn.Upsample(scale_factor=2, mode="nearest")
        self.merge = ConvBlock(8 * w, 4 * w, 3)
        self.head = DetectionHead(num_classes, self.anchors, (4 * w, 8 * w), (8, 16))

    def forward(self, images):
        c3 = self.stage8(self.stem(images))
        c4 = self.stage16(c3)
        p3 = self.merge(torch.cat((self.upsample(self.lateral(c4)), c3), 1))
        return self.head((p3, c4))
