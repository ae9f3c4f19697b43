"""Mixins: plain classes whose methods ask self for what the modules beside them have."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides

PROGRAM = """
import torch
from torch import nn


class Counting:
    @property
    def dtype(self):
        return next(self.parameters()).dtype

    def numbers(self, trainable=False):
        return sum(p.numel() for p in self.parameters() if p.requires_grad or not trainable)

    def frozen(self):
        for name, p in self.named_parameters():
            p.requires_grad = "bias" in name
        self.eval()
        return self


class Net(Counting, nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)

    def forward(self, x):
        return self.fc(x)


net = Net()
before = (net.numbers(), net.numbers(True))
after = (net.frozen().numbers(), net.numbers(True), net.training)
is_float32 = net.dtype == torch.float32
"""


@pytest.mark.frameworks
def test_a_mixin_knows_the_modules_methods(tmp_path: Path) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, PROGRAM)
    for name in ("before", "after", "is_float32"):
        assert getattr(torch_side, name) == getattr(mindspore_side, name), name
