"""Densely connected networks, with torchvision's names of modules.

Huang et al. 2017 (https://arxiv.org/abs/1608.06993); https://docs.pytorch.org/vision/0.28/models/densenet.html.
"""

from collections import OrderedDict

from mindspore import nn, ops

from mindport.declare import layer
from mindport.equivalents.dropout import dropout
from mindport.equivalents.initializers import constant_, kaiming_normal_
from mindport.layers.activation import ReLU
from mindport.layers.container import ModuleDict
from mindport.layers.convolution import Conv2d
from mindport.layers.linear import Linear
from mindport.layers.normalization import BatchNorm2d
from mindport.layers.pooling import AvgPool2d, MaxPool2d

#: Less memory is a matter of how a gradient is computed, not of which.
RECOMPUTED = {"memory_efficient": "the numbers are the same: MindSpore keeps what the backward pass needs (Cell.recompute() computes it again)"}


@layer("torchvision.models.densenet._DenseLayer", drops=RECOMPUTED)
class _DenseLayer(nn.Cell):
    """A 1x1 and a 3x3 convolution behind their normalisations: all that came before, (N, num_input_features, H, W), becomes (N, growth_rate, H, W)."""

    def __init__(self, num_input_features, growth_rate, bn_size, drop_rate, memory_efficient=False):
        super().__init__()
        self.norm1 = BatchNorm2d(num_input_features)
        self.relu1 = ReLU()
        self.conv1 = Conv2d(num_input_features, bn_size * growth_rate, 1, bias=False)
        self.norm2 = BatchNorm2d(bn_size * growth_rate)
        self.relu2 = ReLU()
        self.conv2 = Conv2d(bn_size * growth_rate, growth_rate, 3, padding=1, bias=False)
        self.drop_rate = float(drop_rate)
        self.memory_efficient = memory_efficient

    def bn_function(self, inputs):
        return self.conv1(self.relu1(self.norm1(ops.cat(inputs, 1))))

    def construct(self, input):
        narrow = self.bn_function(input if isinstance(input, (list, tuple)) else (input,))
        new = self.conv2(self.relu2(self.norm2(narrow)))
        return dropout(new, self.drop_rate, self.training) if self.drop_rate > 0 else new


@layer("torchvision.models.densenet._DenseBlock", drops=RECOMPUTED)
class _DenseBlock(ModuleDict):
    """Layers each of which sees what all before it gave: (N, C, H, W) becomes (N, C + num_layers * growth_rate, H, W)."""

    def __init__(self, num_layers, num_input_features, bn_size, growth_rate, drop_rate, memory_efficient=False):
        super().__init__()
        for place in range(num_layers):
            self[f"denselayer{place + 1}"] = _DenseLayer(
                num_input_features + place * growth_rate, growth_rate, bn_size, drop_rate, memory_efficient
            )

    def construct(self, init_features):
        features = (init_features,)
        for member in self._cells.values():
            features = (*features, member(features))
        return ops.cat(features, 1)


@layer("torchvision.models.densenet._Transition")
class _Transition(nn.SequentialCell):
    """Between two blocks: (N, num_input_features, H, W) becomes (N, num_output_features, H/2, W/2)."""

    def __init__(self, num_input_features, num_output_features):
        super().__init__(
            OrderedDict(
                norm=BatchNorm2d(num_input_features), relu=ReLU(),
                conv=Conv2d(num_input_features, num_output_features, 1, bias=False), pool=AvgPool2d(2, 2),
            )
        )


@layer("torchvision.models.DenseNet", "torchvision.models.densenet.DenseNet", drops=RECOMPUTED)
class DenseNet(nn.Cell):
    """Dense blocks, transitions between them and a linear layer: (N, 3, H, W) becomes (N, num_classes)."""

    def __init__(
        self, growth_rate=32, block_config=(6, 12, 24, 16), num_init_features=64, bn_size=4, drop_rate=0, num_classes=1000,
        memory_efficient=False,
    ):
        super().__init__()
        parts = OrderedDict(
            conv0=Conv2d(3, num_init_features, 7, 2, 3, bias=False), norm0=BatchNorm2d(num_init_features), relu0=ReLU(),
            pool0=MaxPool2d(3, 2, 1),
        )
        width = num_init_features
        for place, layers in enumerate(block_config):
            parts[f"denseblock{place + 1}"] = _DenseBlock(layers, width, bn_size, growth_rate, drop_rate, memory_efficient)
            width += layers * growth_rate
            if place != len(block_config) - 1:
                parts[f"transition{place + 1}"] = _Transition(width, width // 2)
                width //= 2
        parts["norm5"] = BatchNorm2d(width)
        self.features = nn.SequentialCell(parts)
        self.classifier = Linear(width, num_classes)
        for _, cell in self.cells_and_names():
            if isinstance(cell, nn.Conv2d):
                kaiming_normal_(cell.weight)
        constant_(self.classifier.bias, 0)

    def construct(self, x):
        x = ops.relu(self.features(x))
        return self.classifier(ops.flatten(ops.mean(x, (2, 3), keep_dims=True), start_dim=1))
