"""Gradients by tensors that an object holds (physics-informed networks), by names of the method; a forward pass that writes into a tensor of its own is computed again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mindport.convert import convert
from mindport.convert.named_inputs import named_inputs
from mindport.inference import Project
from mindport.source.discover import discover
from mindport.source.file import SourceFile
from tests.convert.both_sides import printed_by_both

PROGRAM = """import torch
from torch import nn
from torch.autograd import grad


class Shifted(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.last = nn.Linear(2, 6), nn.Linear(6, 1)

    def forward(self, x):
        h = torch.tanh(self.first(x))
        moved = torch.zeros_like(h)
        moved[:, 1:] = h[:, :-1] * 0.5
        return self.last(h * h + moved)


def filled(net):
    with torch.no_grad():
        for p in net.parameters():
            p.copy_(torch.linspace(-0.5, 0.6, p.numel()).view_as(p))
    return net


class Solver:
    def __init__(self, net):
        self.net = net
        self.x = torch.linspace(-1, 1, 5).reshape(5, 1).requires_grad_()
        self.t = torch.tensor([[0.1], [0.3], [0.2], [0.5], [0.4]], requires_grad=True)
        self.nu = nn.Parameter(torch.tensor([0.3]))
        self.optimizer = torch.optim.SGD([*net.parameters(), self.nu], lr=0.05)

    def residual(self):
        u = self.net(torch.hstack([self.x, self.t]))
        u_t = grad(u, self.t, torch.ones_like(u), create_graph=True)[0]
        u_x = grad(u, self.x, torch.ones_like(u), create_graph=True)[0]
        u_xx = grad(u_x, self.x, torch.ones_like(u_x), create_graph=True)[0]
        return u_t + u * u_x - self.nu * u_xx

    def train(self):
        for _ in range(3):
            self.optimizer.zero_grad()
            loss = self.residual().square().mean()
            loss.backward()
            self.optimizer.step()
            print(loss.item(), self.nu.item())


Solver(filled(nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 1)))).train()
Solver(filled(Shifted())).train()
"""


def test_both_sides_agree(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    np.testing.assert_allclose([float(one) for one in ours.split()], [float(one) for one in theirs.split()], rtol=1e-4)


@pytest.mark.parametrize(("old", "new"), [
    ("        return u_t + u", "        self.x = u\n        return u_t + u"), ("    def residual(self):\n", "    def residual(self):\n        if self.nu is None:\n            return self.x\n"),
    ("        u = self.net(torch", "        x = 1\n        u = self.net(torch"),
])  # fmt: skip
def test_it_stays_where_a_name_may_mean_something_else(old: str, new: str) -> None:
    file = SourceFile.of(PROGRAM.replace(old, new))
    assert named_inputs(file, Project([file]).facts(file)) is file


CONTEXT = """import torch
from torch import nn


class Energy(nn.Module):
    def __init__(self):
        super().__init__()
        self.h = nn.Sequential(nn.Linear(2, 5), nn.Tanh(), nn.Linear(5, 1))

    def flow(self, x):
        with torch.enable_grad():
            x = x.requires_grad_()
            slope = torch.autograd.grad(self.h(x).sum(), x, create_graph=True)[0]
        return slope * torch.tensor([1.0, -1.0])


net = Energy()
for p in net.parameters():
    p.data.copy_(torch.linspace(-0.5, 0.6, p.numel()).view_as(p))
x = torch.linspace(-1, 1, 6).view(3, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(2):
    loss = (x - net.flow(x)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item())
with torch.no_grad():
    print(net.flow(x).sum().item())
"""


def test_a_step_that_enters_a_context_on_its_way_is_not_compiled(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, CONTEXT)
    np.testing.assert_allclose([float(one) for one in ours.split()], [float(one) for one in theirs.split()], rtol=1e-4)
    assert any("is entered" in finding.message for finding in convert(discover(tmp_path / "before")).findings)


def test_what_is_not_differentiated_again_stays() -> None:
    file = SourceFile.of(PROGRAM.replace(", create_graph=True", ""))
    assert named_inputs(file, Project([file]).facts(file)) is file
