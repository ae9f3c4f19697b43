"""Buffers that are stored into while gradients are recorded: views of them see it, in a differentiated function and on the tape."""

from __future__ import annotations

from pathlib import Path

import pytest

pytestmark = pytest.mark.frameworks
pytest.importorskip("torch", reason="this file compares the frameworks")
pytest.importorskip("mindspore", reason="this file compares the frameworks")

from tests.convert.both_sides import converted_script, printed_by_both  # noqa: E402

FUNCTION = """
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(2))
        self.register_buffer("mem", torch.zeros(4, 2))
        self.count = torch.zeros(2)
        self.half = self.count[:1]
        self.first = self.mem[0]
        self.flat = self.mem.view(-1)

    def forward(self, x):
        h = self.weight * x
        self.mem[0] = h.detach()
        self.count.add_(1)
        return (h * self.first).sum() + (h * self.flat[:2]).sum() * self.half


net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.125)
for step in range(2):
    loss = net(torch.ones(2)).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item(), net.first.tolist(), net.flat.tolist(), net.half.tolist(), net.weight.tolist())
"""
TAPE = """
import torch


def loss_of(start):
    x, w = torch.tensor(start), torch.tensor(start, requires_grad=True)
    loss = (x * w - 1).pow(2).mean()
    loss.backward()
    return loss.item()


print(loss_of([1.0, 2.0]))
x = torch.ones(3, 4)
i = torch.tensor([0, 2])
taken = [x[t, 0] for t in i]
row = x[i[1]]
x[0] = 7.0
x[2, 1] = 8.0
print([t.tolist() for t in taken], row.tolist())


class Rows:
    def __init__(self):
        self.all = torch.zeros(2, 2)
        self.first = self.all[0]

    def put(self, k, v):
        self.all[k] = v


rows = Rows()
rows.put(0, torch.tensor([1.0, 2.0]))
print(rows.first.tolist())
"""


@pytest.mark.parametrize("program", [FUNCTION, TAPE])
def test_views_see_what_is_stored(tmp_path: Path, program: str) -> None:
    theirs, ours = printed_by_both(tmp_path, program)
    assert ours == theirs


def test_a_project_without_gradients_needs_nothing(tmp_path: Path) -> None:
    assert "STORES" not in converted_script(tmp_path, "import torch\n\n\nclass Rows:\n    def __init__(self):\n        self.all = torch.zeros(2, 2)\n\n    def put(self, k, v):\n        self.all[k] = v\n")
