"""Weights that a mixin's property computes get their gradient where a derivative is differentiated again."""

from __future__ import annotations

from pathlib import Path

import pytest

pytestmark = pytest.mark.frameworks
pytest.importorskip("torch", reason="this file compares the frameworks")
pytest.importorskip("mindspore", reason="this file compares the frameworks")

from tests.convert.both_sides import printed_by_both  # noqa: E402

PROGRAM = """
import torch
from torch import nn
from torch.nn import functional as F


class Equalized:
    @property
    def w(self):
        return self.weight * self.scale

    @property
    def rows(self):
        return len(self.weight) if self.scale > 0 else 1


class Layer(Equalized, nn.Linear):
    def __init__(self, i, o):
        super().__init__(i, o, bias=False)
        self.scale = 0.5
        self.weight.data.copy_(torch.sin(torch.arange(float(i * o))).view(o, i))

    def forward(self, x):
        return F.linear(x, self.w) / self.rows


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.last = Layer(3, 4), Layer(4, 1)

    def forward(self, x):
        return self.last(torch.tanh(self.first(x)))


class Trainer:
    def __init__(self, net):
        self.net, self.opt = net, torch.optim.SGD(net.parameters(), lr=0.5)

    def penalty(self, x):
        x = x.clone().requires_grad_()
        score = self.net(x)
        slope, = torch.autograd.grad(score, x, torch.ones_like(score), create_graph=True)
        return (slope.norm(2, dim=1) - 1).square().mean()

    def step(self, x):
        self.real = x
        loss = self.net(self.real).mean() + self.penalty(self.real)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss


trainer = Trainer(Critic())
for k in range(3):
    print(f"{trainer.step(torch.cos(torch.arange(6.0) + k).view(2, 3)).item():.4f}")
for p in trainer.net.parameters():
    print(f"{p.grad.abs().sum().item():.3f}")
"""


def test_the_gradient_of_a_gradient_reaches_the_weights(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    assert ours == theirs
