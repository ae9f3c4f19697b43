"""ResNet 18 and 50, written for MindSpore."""

import mindspore.nn as nn


def conv(inside, outside, size, stride=1):
    """A convolution without bias that keeps height and width at stride 1."""
    return nn.Conv2d(inside, outside, size, stride, pad_mode="pad", padding=size // 2, has_bias=False)


class Block(nn.Cell):
    """What both blocks share: the convolutions' result beside the input, or beside what the shortcut makes of it."""

    def __init__(self):
        super().__init__()
        self.relu = nn.ReLU()
        self.shortcut = None  # bound after the convolutions: torch has its parameters last

    def beside(self, out, x):
        return self.relu(out + (x if self.shortcut is None else self.shortcut(x)))


class BasicBlock(Block):
    """Two convolutions of 3 x 3."""

    expansion = 1

    def __init__(self, inside, width, stride=1, shortcut=None):
        super().__init__()
        self.conv1 = conv(inside, width, 3, stride)
        self.bn1 = nn.BatchNorm2d(width)
        self.conv2 = conv(width, width, 3)
        self.bn2 = nn.BatchNorm2d(width)
        self.shortcut = shortcut

    def construct(self, x):
        out = self.relu(self.bn1(self.conv1(x)))
        return self.beside(self.bn2(self.conv2(out)), x)


class Bottleneck(Block):
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
        self.shortcut = shortcut

    def construct(self, x):
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.relu(self.bn2(self.conv2(out)))
        return self.beside(self.bn3(self.conv3(out)), x)


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
        x = self.pool(self.relu(self.bn1(self.conv1(x))))
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        return self.fc(x.mean((2, 3)))


def resnet18(classes=10):
    """Blocks 2, 2, 2, 2."""
    return ResNet(BasicBlock, [2, 2, 2, 2], classes)


def resnet50(classes=10):
    """Blocks 3, 4, 6, 3 with bottlenecks."""
    return ResNet(Bottleneck, [3, 4, 6, 3], classes)
