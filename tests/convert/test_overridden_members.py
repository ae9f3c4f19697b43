"""A base class that calls ``self.parameters()``, which a class below defines itself: the call reaches it, as in torch."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides, converted_script

PROGRAM = """
import torch
from torch import nn


class Base(nn.Module):
    def count(self):
        return len(list(self.parameters()))

    def told(self):
        return f"{sum(p.numel() for p in self.parameters())} weights"

    def make(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)


class Sub(Base):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(2))
        self.bias = nn.Parameter(torch.ones(2))

    def parameters(self, recurse=True):
        return [p for p in super().parameters(recurse) if p is not self.bias]


class Plain(Base):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(2, 1)


def total(nets):
    return [sum(1 for _ in net.parameters()) for net in nets]


kept = [Sub().count(), Plain().count(), len(Sub().make().param_groups[0]["params"]), len(Plain().make().param_groups[0]["params"])]
kept += [Sub().told(), Plain().told()]
kept += total([Sub(), Plain(), nn.Linear(2, 2)])
"""


def test_where_no_class_defines_it_the_text_is_plain(tmp_path: Path) -> None:
    text = "from torch import nn\n\n\nclass Net(nn.Module):\n    def count(self):\n        return len(list(self.named_modules()))\n"
    assert "method(" not in converted_script(tmp_path, text)


@pytest.mark.frameworks
def test_both_sides(tmp_path: Path) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, PROGRAM)
    assert mindspore_side.kept == torch_side.kept == [1, 2, 1, 2, "2 weights", "3 weights", 1, 2, 2]
