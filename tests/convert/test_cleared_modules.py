"""``model.zero_grad()`` where a file that is read may have given the model: cells have no such method."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytestmark = pytest.mark.frameworks
pytest.importorskip("torch", reason="this file compares the frameworks")
pytest.importorskip("mindspore", reason="this file compares the frameworks")

from tests.convert.both_sides import printed_by_both  # noqa: E402

PROGRAM = """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.Linear(2, 1)
        self.l.weight.data.fill_(0.5)
        self.l.bias.data.zero_()

    def forward(self, x):
        return self.l(x)


net = Net()
para = net
opt = torch.optim.SGD(net.parameters(), lr=0.1)


def train():
    net.train()
    total = 0
    for b in range(2):
        net.zero_grad()
        for i in range(2):
            loss = para(torch.ones(3, 2) * (i + b)).pow(2).mean() / 2
            loss.backward()
            total += loss.item()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 0.1)
        opt.step()
    return total


print(train(), train())
with open("net.pt", "wb") as f:
    torch.save(net, f)
with open("net.pt", "rb") as f:
    net = torch.load(f, weights_only=False)
print(net(torch.ones(1, 2)).item())
"""


def test_a_model_that_a_file_may_have_given(tmp_path: Path) -> None:
    expected, found = printed_by_both(tmp_path, PROGRAM)
    assert np.allclose([float(n) for n in found.split()], [float(n) for n in expected.split()], rtol=1e-5)
