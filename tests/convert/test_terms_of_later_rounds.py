"""Terms of a loss that begin in a later round: the module or the tensors that they take are not there before."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import printed_by_both

_PROGRAM = """import copy

import torch
import torch.nn.functional as F
from torch import nn


class Learner:
    def __init__(self, net):
        self.net, self.opt = net, torch.optim.SGD(net.parameters(), lr=0.01)
        self.former = None

    def learn(self, x, y):
        out = self.net(x)
        loss = F.mse_loss(out, y)
        if self.former is not None:
            loss = loss + F.mse_loss(out, self.former(x))
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss


def main():
    net, old = nn.Linear(2, 1), None
    for k, p in enumerate(net.parameters()):
        nn.init.constant_(p, 0.3 * (k + 1))
    kept = []
    learner = Learner(copy.deepcopy(net))
    for task in range(3):
        x, y = torch.tensor([[1.0, 2.0], [0.5, -1.0]]) * (task + 1), torch.ones(2, 1)
        if task:
            old = copy.deepcopy(net)
            old.requires_grad_(False)
            learner.former = copy.deepcopy(learner.net).requires_grad_(False)
        opt = torch.optim.SGD(net.parameters(), lr=0.01)
        for step in range(2):
            if kept:
                former_x, former_y = kept[-1]
            out = net(x)
            loss = F.mse_loss(out, y)
            if old is not None:
                loss = loss + F.mse_loss(out, old(x))
            if kept:
                loss += 0.5 * F.mse_loss(net(former_x), former_y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            print(round(loss.item(), 3), round(learner.learn(x, y).item(), 3))
        kept.append((x, y))
    print([round(p.sum().item(), 3) for p in net.parameters()])


main()
"""


@pytest.mark.frameworks
def test_they_are_left_out_before(tmp_path: Path) -> None:
    expected, actual = printed_by_both(tmp_path, _PROGRAM)
    assert actual == expected


#: What sees gradients (`show`) asks for those of all modules.
_CHOSEN = """import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, value):
        super().__init__()
        self.f = nn.Linear(2, 1)
        for p in self.f.parameters():
            nn.init.constant_(p, value)

    def compute(self, x):
        return self.f(x)


def show(loss, m):
    print(round(loss.item(), 3), [round(p.sum().item(), 3) for p in m.parameters()], [round(p.grad.sum().item(), 3) for p in m.parameters()])


def main():
    x, y = torch.tensor([[1.0, 2.0], [0.5, -1.0]]), torch.ones(2, 1)
    for two in (False, True):
        net = Net(0.3)
        other = Net(0.5) if two else None
        opt = torch.optim.SGD(net.parameters(), lr=0.1)
        for step in range(2):
            loss = (net.compute(x) - y).square().mean()
            if other is not None:
                loss = loss + (net.compute(x) * other.compute(x)).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            show(loss, net)


main()
"""


@pytest.mark.frameworks
def test_modules_that_a_condition_makes(tmp_path: Path) -> None:
    expected, actual = printed_by_both(tmp_path, _CHOSEN)
    assert actual == expected
