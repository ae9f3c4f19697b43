"""``torch.stack`` of a parameter and of what was computed from it (LightGCN's layers): MindSpore's operator raised."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides, equal_tensors

PROGRAM = """
import torch
from torch import nn

class Layers(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(3, 2)
        nn.init.constant_(self.emb.weight, 0.5)
        self.register_buffer("mix", torch.eye(3) * 0.5)

    def forward(self):
        h = self.emb.weight
        layers = [h]
        for _ in range(2):
            h = torch.mm(self.mix, h)
            layers.append(h)
        return torch.stack(layers, dim=1).sum(dim=1), torch.stack((h, self.emb.weight))

net = Layers()
optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
kept = []
for _ in range(2):
    one, two = net()
    loss = one.pow(2).sum() + two.sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    kept.append(net.emb.weight.detach().clone())
"""


@pytest.mark.frameworks
def test_a_parameter_among_tensors(tmp_path: Path) -> None:
    expected, actual = both_sides(tmp_path, PROGRAM)
    equal_tensors(expected.kept, actual.kept)


LEAF = """
import torch

w = torch.linspace(-1, 1, 3, requires_grad=True)
loss = (torch.stack([w.round(), w], dim=0) ** 2).sum()
loss.backward()
kept = [loss.detach(), w.grad]
"""


@pytest.mark.frameworks
def test_a_leaf_among_tensors(tmp_path: Path) -> None:
    expected, actual = both_sides(tmp_path, LEAF)
    equal_tensors(expected.kept, actual.kept)
