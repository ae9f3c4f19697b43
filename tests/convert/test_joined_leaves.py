"""What a forward pass asks a gradient of and joins with others (physics-informed networks): no leaf of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

pytestmark = pytest.mark.frameworks
pytest.importorskip("torch", reason="this file compares the frameworks")
pytest.importorskip("mindspore", reason="this file compares the frameworks")

from tests.convert.both_sides import both_sides  # noqa: E402

PROGRAM = """import torch
import torch.nn as nn
from torch.autograd import grad


def D(u, by):
    return grad(u.sum(), by, create_graph=True)[0]


class Burgers(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.last = nn.Linear(2, 5), nn.Linear(5, 1)
        for i, p in enumerate(self.parameters()):
            p.data.copy_(torch.sin(torch.arange(p.numel()).float() + i).view(p.shape))

    def features(self, x, t):
        x.requires_grad_(True)
        t.requires_grad_(True)
        return torch.tanh(self.first(torch.cat([x, t], axis=1)))

    def forward(self, x, t):
        return self.last(self.features(x, t))

    def inner(self, x, t):
        u = self(x, t)
        u_t, u_x = D(u, t), D(u, x)
        return (u_t + u * u_x - 0.1 * D(u_x, x)).pow(2).mean()


net = Burgers()
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
x, t = torch.linspace(-1, 1, 6).view(-1, 1), torch.linspace(0, 1, 6).view(-1, 1)
losses = []
for step in range(3):
    optimizer.zero_grad()
    loss = net.inner(x, t) + net(x, t).pow(2).mean()
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
weights = [p.abs().sum().item() for p in net.parameters()]
"""


def test_both_sides_agree(tmp_path: Path) -> None:
    """``x = leaf(x)`` inside of what is compiled raised."""
    torch, mindspore = both_sides(tmp_path, PROGRAM)
    assert mindspore.losses == pytest.approx(torch.losses, rel=1e-4)
    assert mindspore.weights == pytest.approx(torch.weights, rel=1e-4)
