"""An encoder and a decoder with skip connections between levels of the same resolution."""

import torch
import torch.nn as nn
import torch.nn.functional as F


def conv_bn_relu(channels_in, channels_out):
    return [
        nn.Conv2d(channels_in, channels_out, 3, padding=1, bias=False),
        nn.BatchNorm2d(channels_out),
        nn.ReLU(inplace=True),
    ]


class Level(nn.Sequential):
    """Two convolutions at one resolution."""

    def __init__(self, channels_in, channels_out):
        super().__init__(*conv_bn_relu(channels_in, channels_out), *conv_bn_relu(channels_out, channels_out))


class UpLevel(nn.Module):
    """Enlarges the coarser map, puts the finer one beside it, and convolves both."""

    def __init__(self, coarse, fine, bilinear=False):
        super().__init__()
        if bilinear:
            self.enlarge = nn.Sequential(nn.Upsample(scale_factor=2, mode="bilinear", align_corners=True), nn.Conv2d(coarse, fine, 1))
        else:
            self.enlarge = nn.ConvTranspose2d(coarse, fine, kernel_size=2, stride=2)
        self.level = Level(2 * fine, fine)

    def forward(self, coarse, skip):
        x = self.enlarge(coarse)
        # odd sizes lose a row or a column on the way down
        missing_h, missing_w = skip.shape[-2] - x.shape[-2], skip.shape[-1] - x.shape[-1]
        x = F.pad(x, (0, missing_w, 0, missing_h))
        return self.level(torch.cat([skip, x], dim=1))


class UNet(nn.Module):
    def __init__(self, in_channels=3, num_classes=3, widths=(8, 16, 32), bilinear=False):
        super().__init__()
        self.num_classes = num_classes
        self.downs = nn.ModuleList()
        previous = in_channels
        for width in widths:
            self.downs.append(Level(previous, width))
            previous = width
        self.pool = nn.MaxPool2d(2)
        self.ups = nn.ModuleList([UpLevel(c, f, bilinear) for c, f in zip(widths[:0:-1], widths[-2::-1])])
        self.classify = nn.Conv2d(widths[0], num_classes, kernel_size=1)

    def forward(self, x):
        skips = []
        for i, level in enumerate(self.downs):
            if i > 0:
                x = self.pool(x)
            x = level(x)
            skips.append(x)
        for up, skip in zip(self.ups, reversed(skips[:-1])):
            x = up(x, skip)
        return self.classify(x)
