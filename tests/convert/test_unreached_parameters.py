"""A step whose loss holds a gradient of its own gives a parameter that it does not reach no gradient: Adam would count it. It got zeros, silently."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.convert.both_sides import printed_by_both

CRITIC = """
import torch
from torch import nn


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([nn.Linear(3, 4), nn.Linear(4, 4)])
        self.norm = nn.BatchNorm1d(4)
        self.out = nn.Linear(4, 1)
        self.depth = 1

    def forward(self, x):
        for block in self.blocks[: self.depth]:
            x = torch.tanh(block(x))
        return self.out(self.norm(x))


def penalty(net, x):
    x = x.detach().requires_grad_(True)
    (grads,) = torch.autograd.grad(net(x).sum(), x, create_graph=True)
    return ((grads.norm(2, dim=1) - 1) ** 2).mean()


net = Critic()
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(torch.linspace(-1, 1, p.numel()).roll(i).view_as(p))
optimizer = torch.optim.Adam(net.parameters(), lr=0.05, weight_decay=0.1)
x = torch.arange(12.0).view(4, 3).sin()
for i in range(4):
    net.depth = 1 + i // 2
    optimizer.zero_grad()
    STEP
    optimizer.step()
    print([net.depth, *(int(p.grad is None) for p in net.parameters()), len(optimizer.state)])
print([*(p.double().abs().sum().item() for p in net.parameters()), net.norm.running_mean.sum().item(), net.norm.running_var.sum().item()])
"""
STEPS = {
    "compiled, the penalty alone": "loss = 10 * penalty(net, x + 0.1)\n    loss.backward()",
    "on the tape, the penalty alone": "parts = {'penalty': 10 * penalty(net, x + 0.1)}\n    for part in parts.values():\n        part.backward()",
    "compiled": "loss = net(x).mean() + 10 * penalty(net, x + 0.1)\n    loss.backward()",
    "on the tape": "parts = {'real': net(x).mean()}\n    parts['penalty'] = 10 * penalty(net, x + 0.1)\n    for part in parts.values():\n        part.backward()",
}


@pytest.mark.frameworks
@pytest.mark.parametrize("step", list(STEPS))
def test_blocks_that_join_later(tmp_path: Path, step: str) -> None:
    theirs, ours = printed_by_both(tmp_path, CRITIC.replace("STEP", STEPS[step]))
    for expected, made in zip(theirs.splitlines(), ours.splitlines(), strict=True):
        assert json.loads(made) == pytest.approx(json.loads(expected), rel=1e-4, abs=1e-5)
    assert ("compiled_value_and_gradients(" in (tmp_path / "after" / "program.py").read_text()) is step.startswith("compiled")
