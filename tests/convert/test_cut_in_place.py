"""``h.detach_()`` of what others hold: they hold it without its graph, too."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.convert.both_sides import both_sides

PROGRAM = """
import torch
from torch import nn

cell = nn.Linear(3, 3)
with torch.no_grad():
    for p in cell.parameters():
        p.copy_(torch.linspace(-1, 1, p.numel()).reshape(p.shape))
optimizer = torch.optim.SGD(cell.parameters(), lr=0.5)


class Memory:
    def __init__(self):
        self.states = [torch.ones(2, 3), torch.zeros(2, 3)]


memory = Memory()
kept = []
for step in range(4):
    for state in memory.states:
        state.detach_()
    memory.states = [torch.tanh(cell(state)) for state in memory.states]
    loss = sum(state.pow(2).mean() for state in memory.states)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    kept.append(loss.detach())
kept += [cell.weight.detach(), cell.bias.detach()]


def ahead(h):
    found = [torch.tanh(cell(h))]
    for one in found:
        one.detach_()
    return cell(found[0])


optimizer.zero_grad()
ahead(torch.ones(2, 3)).sum().backward()
kept.append(cell.weight.grad.detach())
"""

HOOKED = """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.tensor([1.0, -2.0]))

    def forward(self, x):
        h = x * self.weight
        if h.requires_grad:
            h.register_hook(lambda g: g * 0.5)
        return h


net = Net()
net(torch.tensor([3.0, 4.0])).sum().backward()
kept = [net.weight.grad]
"""


@pytest.mark.frameworks
@pytest.mark.parametrize("program", [PROGRAM, HOOKED], ids=["detached for all", "asked whether a gradient is recorded"])
def test_gradients(tmp_path: Path, program: str) -> None:
    theirs, ours = both_sides(tmp_path, program)
    for expected, made in zip(theirs.kept, ours.kept, strict=True):
        np.testing.assert_allclose(made.asnumpy(), expected.numpy(), rtol=1e-5, atol=1e-6)
