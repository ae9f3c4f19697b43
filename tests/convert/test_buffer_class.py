"""``self.table = nn.Buffer(t)``: the module registers it, saved or not; later assignments take its place."""

from __future__ import annotations

from pathlib import Path

import pytest

pytestmark = pytest.mark.frameworks
pytest.importorskip("torch", reason="this file compares the frameworks")
pytest.importorskip("mindspore", reason="this file compares the frameworks")

from tests.convert.both_sides import converted_script, printed_by_both  # noqa: E402

PROGRAM = """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(3, 3)
        self.mean = nn.Buffer(torch.zeros(3))
        self.scale = nn.Buffer(torch.full((3,), 2.0), persistent=False)
        for name, saved in {"one": True, "two": False}.items():
            setattr(self, f"table_{name}", nn.Buffer(data=torch.arange(3.0), persistent=saved))

    def forward(self, x):
        self.mean = 0.5 * self.mean + 0.5 * x.detach().mean(0)
        self.scale *= 0.5
        return self.lin(x - self.mean) * self.scale + self.table_one + self.table_two


net = Net()
nn.init.eye_(net.lin.weight)
nn.init.zeros_(net.lin.bias)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for k in range(2):
    loss = net(torch.tensor([[1.0, 2.0, 3.0], [2.0, 2.0, k]])).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(round(loss.item(), 5))
print(sorted(net.state_dict()), len(list(net.parameters())), sorted(n for n, _ in net.named_buffers()))
print(net.mean.tolist(), net.scale.tolist())
other = Net()
print(other.load_state_dict(net.state_dict()), other.mean.tolist(), other.scale.tolist())
"""


def test_buffers_are_registered(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    assert [line for line in ours.splitlines() if "<All" not in line] == [line for line in theirs.splitlines() if "<All" not in line]


def test_text(tmp_path: Path) -> None:
    text = converted_script(tmp_path, PROGRAM)
    assert 'self.register_buffer("scale", ops.full((3,), 2.0, dtype=ms.float32), persistent=False)' in text
    assert 'self.register_buffer(f"table_{name}", ops.arange(3.0), persistent=saved)' in text
