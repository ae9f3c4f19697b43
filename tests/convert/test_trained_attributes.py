"""Tensors of their own that an object hands to its optimizers: the temperature of an agent, weights of losses."""

from __future__ import annotations

from pathlib import Path

import pytest

pytestmark = pytest.mark.frameworks
torch = pytest.importorskip("torch", reason="this file compares the frameworks")
ms = pytest.importorskip("mindspore", reason="this file compares the frameworks")

from tests.convert.both_sides import both_sides  # noqa: E402

PROGRAM = '''
import torch
from torch.optim import Adam


class Agent:
    def __init__(self):
        self.log_alpha = torch.zeros(1, requires_grad=True)
        self.temperature = torch.tensor(0.5).requires_grad_()
        scale = torch.ones(2).requires_grad_()
        self.scale = scale
        self.solver = Adam([self.log_alpha], lr=0.1)
        self.other = torch.optim.SGD(params=[{"params": [self.temperature, scale]}], lr=0.1)

    def update(self, x):
        loss = -(self.log_alpha * x.detach()).mean() + (self.log_alpha.exp() * 0.1).sum() + (self.scale * self.temperature ** 2).sum()
        self.solver.zero_grad()
        self.other.zero_grad()
        loss.backward()
        self.solver.step()
        self.other.step()
        return loss.item()


agent = Agent()
losses = [agent.update(torch.ones(3) * i) for i in range(4)]
'''


def test_attributes_that_optimizers_get_are_trained(tmp_path: Path) -> None:
    before, after = both_sides(tmp_path, PROGRAM)
    assert after.losses == pytest.approx(before.losses, rel=1e-5)
    assert after.agent.scale.asnumpy().tolist() == pytest.approx(before.agent.scale.tolist(), rel=1e-5)


HELD = '''
import numpy as np
import torch
from torch import nn, optim


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 1)
        nn.init.constant_(self.fc.weight, 0.3)
        nn.init.constant_(self.fc.bias, 0.1)
        self.log_alpha = torch.tensor(np.log(0.01))
        self.log_alpha.requires_grad = True
        self.scale = torch.ones(1, requires_grad=True)
        self.shift = torch.zeros(1).requires_grad_()
        self.own = optim.SGD([self.log_alpha, self.scale, self.shift], lr=0.1)
        self.optimizer = optim.SGD(self.parameters(), lr=0.1)

    def forward(self, x):
        return self.fc(x) * self.scale + self.shift

    def train_net(self, x):
        loss = (self.log_alpha.exp() * self(x) + self(x) ** 2).mean(){first}
        self.own.zero_grad()
        self.optimizer.zero_grad()
        loss.backward()
        self.own.step()
        self.optimizer.step()
        return loss.item()


policy = Policy()
x = torch.arange(12.).reshape(4, 3) / 10
losses = [policy.train_net(x) for _ in range(4)]
result = (losses, [policy.log_alpha.item(), policy.scale.item(), policy.shift.item()], sorted(policy.state_dict()), len(list(policy.parameters())))
'''


@pytest.mark.parametrize("first", ["", "\n        for _ in range(2):\n            loss = loss * 1.0\n        self.last = loss\n        loss = self.last"])
def test_a_leaf_that_a_module_holds_is_none_of_its_parameters(tmp_path: Path, first: str) -> None:
    torchs, ours = (side.result for side in both_sides(tmp_path, HELD.format(first=first)))
    assert ours[0] == pytest.approx(torchs[0], rel=1e-5)
    assert ours[1] == pytest.approx(torchs[1], rel=1e-5)
    assert ours[2:] == torchs[2:] and ours[3] == 2
