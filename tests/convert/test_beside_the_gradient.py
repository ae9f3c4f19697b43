"""Functions that no gradient goes through, in what is differentiated: comparisons, places and counts, numbers drawn around a mean, the angle of zero."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import printed_by_both

PROGRAM = """import torch
from torch import nn

net = nn.Linear(3, 2)
with torch.no_grad():
    net.weight.copy_(torch.tensor([[0.5, -1.0, 2.0], [1.0, 0.25, -0.5]]))
    net.bias.zero_()
x, y = torch.tensor([[1.0, 2.0, 0.5], [0.5, 0.0, 1.0]]), torch.tensor([[0.5, 1.0], [2.0, 0.0]])


def told(loss):
    net.zero_grad()
    loss.backward()
    print(round(loss.item(), 4), [[round(v, 4) for v in p.grad.reshape(-1).tolist()] for p in net.parameters()])


out = net(x)
told((out * torch.isclose(out, y, atol=1.0)).sum())
out = net(x)
told((out * torch.isreal(out) * (~out.isclose(y)).float()).sum())
out = net(x)
_, places, counts = torch.unique(out, return_inverse=True, return_counts=True)
told((out * places).sum() + (out * counts.sum()).mean())
mean = net(x)
action = torch.normal(mean, torch.zeros(2, 2))
told(((action - 1.0) * mean).sum() - (action - mean).square().sum())
out = net(torch.zeros(2, 3)) * torch.tensor([0.0, 2.0])
told(torch.angle(torch.complex(out, out * 0)).sum() + (net(x) ** 2).sum())
"""


@pytest.mark.frameworks
def test_both_sides_agree(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    assert theirs == ours
