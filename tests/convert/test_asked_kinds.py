"""A layer that a program only asks for (``isinstance(m, nn.Dropout)``) is none that a network of its may hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import printed_by_both

PROGRAM = """import torch
from torch import nn


class Energy(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, x):
        return self.inner(x).split(1, 1)

    def field(self, x, first=True):
        one, two = self.forward(x)
        if first:
            slope = torch.autograd.grad(one.sum(), x, create_graph=True)[0]
            return slope
        return two


def begin(m):
    if isinstance(m, (nn.Dropout, nn.BatchNorm1d)):
        m.eval()


net = Energy(nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 2)))
net.apply(begin)
for p in net.parameters():
    p.data.fill_(0.2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.tensor([[0.1, 0.2], [0.3, -0.4]], requires_grad=True)
for _ in range(3):
    loss = (net.field(x) - 1).pow(2).mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    print(f"{loss.item():.4f}")
"""


@pytest.mark.frameworks
def test_the_derivative(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    assert theirs == ours
