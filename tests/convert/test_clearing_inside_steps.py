"""Gradients that are cleared between the forward pass and ``backward`` are cleared outside of what is differentiated."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides, seen_by_graphs

PROGRAM = """
import torch
from torch import nn

net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
for i, p in enumerate(net.parameters()):
    p.data = torch.sin(torch.arange(p.numel()).float() + i).view(p.shape) * 0.5
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
data = torch.cos(torch.arange(12.0)).view(4, 3)


def train():
    losses = []
    for step in range(3):
        x = data * (step + 1)
        x.requires_grad = True
        score = net(x)
        slope = torch.autograd.grad(score.sum(), x, create_graph=True)[0]
        penalty = slope.pow(2).sum(1).mean()
        net.zero_grad()
        (5 * penalty).backward()
        optimizer.step()
        losses.append(penalty.item())
    return losses
"""


@pytest.mark.frameworks
def test_a_penalty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, PROGRAM)
    seen_by_graphs(mindspore_side, monkeypatch)
    assert mindspore_side.train() == pytest.approx(torch_side.train(), rel=1e-4)
