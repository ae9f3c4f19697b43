"""Sequences whose first layer overwrites the input, in the manner of residual blocks: ``x + self.block(x)``."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover
from tests.convert.both_sides import both_sides

PROGRAM = """
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.block = nn.Sequential(nn.ReLU(True), nn.Conv2d(dim, dim, 3, 1, 1), nn.BatchNorm2d(dim), nn.ReLU(True), nn.Conv2d(dim, dim, 1))

    def forward(self, x):
        return x + self.block(x)

    def later(self, x):
        y = x * 2
        out = self.block(y)
        return out - y


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Conv2d(1, 4, 3, 2, 1)
        self.norm = nn.BatchNorm2d(4)
        self.blocks = nn.Sequential(Block(4), Block(4))

    def forward(self, x):
        h = self.blocks(self.norm(self.first(x)))
        return self.blocks[1].later(h)


net = Net()
with torch.no_grad():
    for p in net.parameters():
        p.copy_(torch.cos(torch.arange(p.numel()).float() * 1.7).view(p.shape) * 0.4)
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
x = torch.sin(torch.arange(2 * 64).float() * 0.9).view(2, 1, 8, 8)
losses = []
for _ in range(4):
    optimizer.zero_grad()
    loss = (net(x) ** 2).mean()
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
"""


@pytest.mark.frameworks
def test_a_residual_block_trains_alike(tmp_path: Path) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, PROGRAM)
    assert mindspore_side.losses == pytest.approx(torch_side.losses, rel=2e-4)


_CLASS = "import torch\nfrom torch import nn\n\nclass Block(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.block = {0}\n\n    def forward(self, x):\n        {1}\n"


@pytest.mark.parametrize(("made", "used", "expected", "told"), [
    ("nn.Sequential(nn.ReLU(True), nn.Linear(3, 3))", "return x + self.block(x)", "return x + self.block(copy_(x, self.block[0](x)))", False),
    ("nn.Sequential(nn.ReLU(True), nn.Linear(3, 3))", "y = x * 2\n        y = self.block(y)\n        return y", "y = self.block(y)", False),
    ("nn.Sequential(nn.ReLU(True), nn.ReLU(True))", "return x + self.block(x)", "return x + copy_(x, self.block(x))", False),
    ("nn.Sequential(nn.ReLU(), nn.Linear(3, 3))", "return x + self.block(x)", "return x + self.block(x)", False),
    ("nn.Sequential(nn.LeakyReLU(0.2, True), nn.Linear(3, 3))", "return x + self.block(x)", "return x + self.block(x)", True),
    ("nn.Sequential(nn.Sequential(nn.ReLU(True), nn.Linear(3, 3)), nn.ReLU())", "return x + self.block(x)", "return x + self.block(x)", True),
])  # fmt: skip
def test_the_text(tmp_path: Path, made: str, used: str, expected: str, told: bool) -> None:
    (tmp_path / "script.py").write_text(_CLASS.format(made, used), encoding="utf-8")
    conversion = convert(discover(tmp_path))
    assert expected in {path.name: text for path, text in conversion.files.items()}["script.py"]
    assert bool([f for f in conversion.findings if f.code == "MP109"]) == told
