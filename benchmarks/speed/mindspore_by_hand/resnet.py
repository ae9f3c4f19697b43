"""ResNet 18 and 50, written for MindSpore."""

import mindspore.nn as nn


def conv(inside, outside, size, stride=1):
    """A convolution without bias that keeps height and width at stride 1."""
    return nn.Conv2d(inside, outside, size, stride, pad_mode="pad", padding=size // 2, has_bias=False)


class BasicBlock(nn.Cell):
    """Two convolutions of 3 x 3."""

    expansion = 1

    def __init__(self, inside, width, stride=1, shortcut=None):
        super().__init__()
        self.conv1 = conv(inside, width, 3, stride)
        self.bn1 = nn.BatchNorm2d(width)
        self.relu = nn.ReLU()
        self.conv2 = conv(width, width, 3)
        self.bn2 = nn.BatchNorm2d(width)
        self.shortcut = shortcut

    def construct(self, x):
        identity = x
        out = self.conv1(x)
        out = self.bn1(out)
        out = self.relu(out)
        out = self.conv2(out)
        out = self.bn2(out)
        if self.shortcut is not None:
            identity = self.shortcut(x)
        out = out + identity
        return self.relu(out)


class Bottleneck(nn.Cell):
    """Convolutions of 1 x 1, 3 x 3 and 1 x 1."""

    expansion = 4

    def __init__(self, inside, width, stride=1, shortcut=None):
        super().__init__()
        self.conv1 = conv(inside, width, 1)
        self.bn1 = nn.BatchNorm2d(width)
        self.conv2 = conv(width, width, 3, stride)
        self.bn2 = nn.BatchNorm2d(width)
        self.conv3 = conv(width, 4 * width, 1)
        self.bn3 = nn.BatchNorm2d(4 * width)
        self.relu = nn.ReLU()
        self.shortcut = shortcut

    def construct(self, x):
        identity = x
        out = self.conv1(x)
        out = self.bn1(out)
        out = self.relu(out)
        out = self.conv2(out)
        out = self.bn2(out)
        out = self.relu(out)
        out = self.conv3(out)
        out = self.bn3(out)
        if self.shortcut is not None:
            identity = self.shortcut(x)
        out = out + identity
        return self.relu(out)


class ResNet(nn.Cell):
    """Four stages of blocks."""

    def __init__(self, block, counts, classes):
        super().__init__()
        self.inside = 64
        self.conv1 = conv(3, 64, 7, 2)
        self.bn1 = nn.BatchNorm2d(64)
        self.relu = nn.ReLU()
        self.pool = nn.MaxPool2d(3, stride=2, pad_mode="pad", padding=1)
        self.layer1 = self.stage(block, 64, counts[0], 1)
        self.layer2 = self.stage(block, 128, counts[1], 2)
        self.layer3 = self.stage(block, 256, counts[2], 2)
        self.layer4 = self.stage(block, 512, counts[3], 2)
        self.fc = nn.Dense(512 * block.expansion, classes)

    def stage(self, block, width, count, stride):
        """`count` blocks, the first with the stride."""
        shortcut = None
        if stride != 1 or self.inside != width * block.expansion:
            shortcut = nn.SequentialCell(
                conv(self.inside, width * block.expansion, 1, stride), nn.BatchNorm2d(width * block.expansion)
            )
        blocks = [block(self.inside, width, stride, shortcut)]
        self.inside = width * block.expansion
        blocks += [block(self.inside, width) for _ in range(1, count)]
        return nn.SequentialCell(blocks)

    def construct(self, x):
        x = self.conv1(x)
        x = self.bn1(x)
        x = self.relu(x)
        x = self.pool(x)
        x = self.layer1(x)
        x = self.layer2(x)
        x = self.layer3(x)
        x = self.layer4(x)
        return self.fc(x.mean((2, 3)))


def resnet18(classes=10):
    """Blocks 2, 2, 2, 2."""
    return ResNet(BasicBlock, [2, 2, 2, 2], classes)


def resnet50(classes=10):
    """Blocks 3, 4, 6, 3 with bottlenecks."""
    return ResNet(Bottleneck, [3, 4, 6, 3], classes)
