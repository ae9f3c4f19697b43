"""Optimizers and moving averages written for PyTorch 1.4: the number stands before the tensor."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.convert.both_sides import both_sides, converted_script

PROGRAM = """
import torch
from torch import nn
from torch.optim import Optimizer


class OldAdam(Optimizer):
    def __init__(self, params, lr=0.1):
        super().__init__(params, dict(lr=lr))

    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                grad = p.grad.data
                state = self.state[p]
                if len(state) == 0:
                    state["mean"], state["square"] = torch.zeros_like(p.data), torch.zeros_like(p.data)
                mean, square = state["mean"], state["square"]
                grad = grad.add(0.01, p.data)
                mean.mul_(0.9).add_(1 - 0.9, grad)
                square.mul_(0.99)
                state["square"].addcmul_(1 - 0.99, grad, grad)
                p.data.addcdiv_(-group["lr"], mean, square.sqrt().add_(1e-8))


net = nn.Linear(3, 2)
with torch.no_grad():
    net.weight.copy_(torch.arange(6.0).reshape(2, 3) / 7)
    net.bias.zero_()
optimizer = OldAdam(net.parameters())
x = torch.arange(12.0).reshape(4, 3) / 5
for _ in range(4):
    optimizer.zero_grad()
    net(x).pow(2).mean().backward()
    optimizer.step()
moved = torch.add(x, -0.5, x * x)
shifted = x.clone().sub_(2, torch.ones(3))
kept = [net.weight.detach(), net.bias.detach(), moved, shifted]
"""


@pytest.mark.frameworks
def test_programs_of_that_time_train_alike(tmp_path: Path) -> None:
    expected, actual = both_sides(tmp_path, PROGRAM)
    for theirs, ours in zip(expected.kept, actual.kept, strict=True):
        np.testing.assert_allclose(ours.asnumpy(), theirs.numpy(), rtol=1e-5, atol=1e-6)


def test_calls_of_today_keep_their_form(tmp_path: Path) -> None:
    assert "former" not in converted_script(tmp_path, "import torch\n\n\ndef f(x, y):\n    return torch.add(x, y, alpha=2), torch.addcmul(x, y, y, value=3)\n")
