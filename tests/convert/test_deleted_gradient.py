"""``del p.grad``: the gradient is None afterwards, in every way that gradients are taken."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides, equal_tensors

PROGRAM = """
import torch
from torch import nn

net = nn.Linear(2, 1)
with torch.no_grad():
    net.weight.fill_(0.5)
    net.bias.fill_(0.25)
optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
kept = []
for turn in range(3):
    loss = net(torch.ones(4, 2) * turn).pow(2).mean()
    loss.backward()
    optimizer.step()
    kept.append(net.weight.grad.clone())
    for p in net.parameters():
        del p.grad
kept += [net.weight.detach(), net.bias.detach()]
"""


@pytest.mark.frameworks
def test_gradients_begin_again(tmp_path: Path) -> None:
    expected, actual = both_sides(tmp_path, PROGRAM)
    equal_tensors(expected.kept, actual.kept)
