"""Sizes that are lists from one caller and tuples or numbers from another, and a recurrent layer that a project writes out itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import printed_by_both

SIZES = """
import torch
from torch import nn


class Unit(nn.Module):
    def __init__(self, channels, kernel=(1, 1, 1), stride=(1, 1, 1)):
        super().__init__()
        self.kernel = kernel
        self.conv = nn.Conv3d(channels, 2, kernel_size=self.kernel, stride=stride, bias=False)
        self.conv.weight.data.fill_(0.5)

    def forward(self, x):
        return self.conv(x)


def bordered(x, width=1):
    return nn.ReflectionPad2d(width)(x)


def pooled(x, size=2):
    return nn.MaxPool2d(size)(x)


x = torch.arange(54.0).view(1, 1, 2, 3, 9)
print(Unit(1)(x).sum().item(), Unit(1, [2, 3, 3], (1, 1, 2))(x).flatten().tolist())
print(bordered(x[0]).sum().item(), bordered(x[0], [1, 0, 2, 1]).sum().item())
print(pooled(x[0]).sum().item(), pooled(x[0], [1, 3]).sum().item())
"""

RECURRENT = """
import torch
from torch import nn
from torch.nn import Module, Parameter


class Recurrent(Module):
    def __init__(self, size, layers):
        super().__init__()
        self._all_weights = []
        for layer in range(layers):
            names = [f"weight_ih_l{layer}", f"bias_l{layer}"]
            setattr(self, names[0], Parameter(torch.full((size, size), 0.5 + layer)))
            setattr(self, names[1], Parameter(torch.full((size,), 0.1 * layer)))
            self._all_weights.append(names)

    def forward(self, x):
        for weight, bias in self.all_weights:
            x = torch.tanh(x @ weight + bias)
        return x

    @property
    def all_weights(self):
        return [[getattr(self, name) * 2 for name in names] for names in self._all_weights]


net = Recurrent(2, 2)
print(net._all_weights, [len(weights) for weights in net.all_weights])
print([round(v, 5) for v in net(torch.tensor([[0.1, 0.2]])).flatten().tolist()])
print([[len(names) for names in nn.LSTM(2, 3, bidirectional=True).all_weights]])
"""

CHILDREN = """
import torch
from torch import nn

net = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
print([name for name in reversed(net._modules)], [type(module).__name__ in ("Linear", "Dense") for module in reversed(net._modules.values())])
print([(name, module is net[int(name)]) for name, module in reversed(net._modules.items())], list(net._modules.keys()))
"""


@pytest.mark.frameworks
@pytest.mark.parametrize("program", [SIZES, RECURRENT, CHILDREN])
def test_both_print_the_same(tmp_path: Path, program: str) -> None:
    theirs, ours = printed_by_both(tmp_path, program)
    assert theirs == ours
