"""A compiled step that runs another function than at first, which reads what changes: its graph is not the one of before."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import printed_by_both

STEP = '''
import torch
from torch import nn

SCALE = 1.0


def plain(u):
    return u.square().mean()


def scaled(u):
    return (SCALE * u).square().mean()


def step(net, opt, x, criterion):
    x = x.clone().requires_grad_()
    u = net(x).tanh()
    (g,) = torch.autograd.grad(u.sum(), x, create_graph=True)
    loss = criterion(u) + g.square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item()


net = nn.Linear(2, 1)
nn.init.constant_(net.weight, 0.3)
nn.init.constant_(net.bias, 0.1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.tensor([[1.0, 2.0], [0.5, -1.0]])
found = []
for turn, criterion in enumerate([plain, scaled, scaled, plain, scaled]):
    SCALE = 1.0 + turn
    found.append(round(step(net, opt, x, criterion), 3))
print(found)
'''


@pytest.mark.frameworks
def test_what_the_other_one_reads_is_compared(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, STEP)
    assert ours == theirs
