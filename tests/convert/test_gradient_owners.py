"""Whose gradients a step takes where no optimizer is named: modules that stand for something there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides

PROGRAM = """import torch
from torch import nn


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = nn.Parameter(torch.tensor(0.5))

    def forward(self, x):
        return x * self.gate


layers = nn.ModuleList([Scaled(), nn.ReLU(), Scaled()])
x = torch.arange(4.0)
h = x
for layer in layers:
    h = layer(h)
gates = [m.gate.item() for m in layers.modules() if isinstance(m, Scaled)]
named = {n: len(list(m.children())) for n, m in layers.named_modules()}
sizes = list(map(lambda m: len(list(m.parameters())), layers))
h.sum().backward()
first = layers[0].gate.grad
"""


@pytest.mark.frameworks
def test_names_of_comprehensions_are_none(tmp_path: Path) -> None:
    theirs, ours = both_sides(tmp_path, PROGRAM)
    assert ours.first.item() == theirs.first.item() == 3.0
    assert ours.x.tolist() == [0, 1, 2, 3]


OUTSIDE = """import torch
from torch import nn


class Net(nn.Module):
    gain = nn.Linear(1, 1, bias=False)

    def __init__(self):
        super().__init__()
        self.shift = torch.ones(2, requires_grad=True)
        self.layers = [nn.Linear(2, 1, bias=False)]
        self.fc = nn.Linear(1, 1, bias=False)

    def forward(self, x):
        return self.fc(self.gain(self.layers[0](x + self.shift)))


net = Net()
for weight in (net.fc.weight, Net.gain.weight, net.layers[0].weight):
    nn.init.constant_(weight, 0.5)
net(torch.arange(2.0)[None]).sum().backward()
found = [net.fc.weight.grad.tolist(), Net.gain.weight.grad.tolist(), net.layers[0].weight.grad.tolist(), net.shift.grad.tolist()]
"""


@pytest.mark.frameworks
def test_what_no_module_counts_has_its_gradient(tmp_path: Path) -> None:
    theirs, ours = both_sides(tmp_path, OUTSIDE)
    assert ours.found == theirs.found
