"""A parameter whose first values were computed from another one is a leaf: it gets a gradient."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides

PROGRAM = """import torch
from torch import nn


class Low(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(2, 2))
        self.low = nn.Parameter(self.weight.new_zeros((2, 1)))
        self.high = nn.Parameter(torch.ones_like(self.weight)[:1] * 2)
        self.start = nn.Parameter(self.weight * 3)
        self.other = nn.Parameter(self.weight.detach().clone())

    def forward(self, x):
        return x @ (self.weight + self.low @ self.high + self.start + self.other)


net = Low()
net.weight.requires_grad = False
optimizer = torch.optim.SGD([p for p in net.parameters() if p.requires_grad], lr=0.1)
x = torch.tensor([[1.0, 2.0]])


def update(loss):
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


losses = []
for step in range(3):
    losses.append(update(net(x).pow(2).mean()))
values = [p.flatten().tolist() for p in net.parameters()]
"""


@pytest.mark.frameworks
def test_they_are_trained(tmp_path: Path) -> None:
    """Where the values were a temporary, MindSpore's parameter kept their place in the graph: no gradient reached it, and nothing said so."""
    theirs, ours = both_sides(tmp_path, PROGRAM)
    assert ours.losses == pytest.approx(theirs.losses, rel=1e-5)
    assert sum(ours.values, []) == pytest.approx(sum(theirs.values, []), rel=1e-5)
