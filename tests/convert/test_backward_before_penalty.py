"""A loss that goes back with its graph kept, then a penalty on a derivative: two backward passes, the second over derivatives."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import printed_by_both

PROGRAM = """import torch
from torch import nn

net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
for p in net.parameters():
    nn.init.constant_(p, 0.3)
opt = torch.optim.RMSprop(net.parameters(), lr=0.01)
data = torch.tensor([[0.1, 0.5, -0.3], [0.7, 0.2, 0.4]])


def step(x):
    opt.zero_grad()
    x = x.clone().requires_grad_()
    out = net(x)
    real = (1 - out).mean()
    real.backward(retain_graph=True)
    slope = torch.autograd.grad(out.sum(), x, create_graph=True)[0]
    penalty = 10 * slope.pow(2).sum()
    penalty.backward()
    opt.step()
    return real.item(), penalty.item()


for _ in range(3):
    print(*["%.4f" % v for v in step(data)], ["%.4f" % p.sum().item() for p in net.parameters()])
"""


@pytest.mark.frameworks
def test_both_passes(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    assert theirs == ours
