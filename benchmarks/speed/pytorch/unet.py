"""U-Net of three levels."""
import torch
import torch.nn as nn


class DoubleConv(nn.Module):
    def __init__(self, inside, outside):
        super().__init__()
        self.block = nn.Sequential(
            nn.Conv2d(inside, outside, 3, padding=1, bias=False), nn.BatchNorm2d(outside), nn.ReLU(inplace=True),
            nn.Conv2d(outside, outside, 3, padding=1, bias=False), nn.BatchNorm2d(outside), nn.ReLU(inplace=True))

    def forward(self, x):
        return self.block(x)


class UNet(nn.Module):
    def __init__(self, channels=3, classes=2, width=16):
        super().__init__()
        self.inc = DoubleConv(channels, width)
        self.down1 = DoubleConv(width, width * 2)
        self.down2 = DoubleConv(width * 2, width * 4)
        self.pool = nn.MaxPool2d(2)
        self.up1 = nn.ConvTranspose2d(width * 4, width * 2, 2, stride=2)
        self.conv1 = DoubleConv(width * 4, width * 2)
        self.up2 = nn.ConvTranspose2d(width * 2, width, 2, stride=2)
        self.conv2 = DoubleConv(width * 2, width)
        self.out = nn.Conv2d(width, classes, 1)

    def forward(self, x):
        x1 = self.inc(x)
        x2 = self.down1(self.pool(x1))
        x3 = self.down2(self.pool(x2))
        y = self.conv1(torch.cat([x2, self.up1(x3)], dim=1))
        y = self.conv2(torch.cat([x1, self.up2(y)], dim=1))
        return self.out(y)
