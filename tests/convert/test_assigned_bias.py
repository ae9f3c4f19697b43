"""A bias that a layer gets after it was made without one: torch's layers add it from there on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import printed_by_both

PROGRAM = """import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.wx = nn.ModuleList([])
        for i in range(2):
            self.wx.append(nn.Linear(3, 3, bias=i == 1))
            self.wx[i].weight = nn.Parameter(torch.full((3, 3), 0.5))
            self.wx[i].bias = nn.Parameter(torch.zeros(3) + i + 1)
        self.conv = nn.Conv2d(1, 2, 1, bias=False)

    def forward(self, x):
        for layer in self.wx:
            x = layer(x)
        return self.conv(x.view(-1, 1, 1, 3))


def fuse(conv, scale, shift):
    conv.weight = nn.Parameter(conv.weight * scale)
    conv.bias = nn.Parameter(shift)
    return conv


net = Net()
with torch.no_grad():
    net.conv.weight.fill_(0.25)
fuse(net.conv, 2.0, torch.tensor([1.0, 2.0]))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    loss = (net(torch.ones(2, 3)) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(round(loss.item(), 4))
print(sorted(name for name, _ in net.named_parameters()))
print([round(v.item(), 4) for v in net.wx[0].bias], [round(v.item(), 4) for v in net.conv.bias])
"""


@pytest.mark.frameworks
def test_it_is_added_named_and_trained(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    assert ours == theirs
