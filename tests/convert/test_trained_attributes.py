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
