"""A parameter that takes another one's place, of data whose type nothing shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides, equal_tensors

PROGRAM = """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.parts = nn.ModuleDict(dict(table=nn.Embedding(n, 3), out=nn.Linear(3, n)))

    def crop(self, n):
        self.parts.table.weight = nn.Parameter(self.parts.table.weight[:n])
        self.parts.out.bias = nn.Parameter(self.parts.out.bias[:n] * 0, requires_grad=False)


net = Net(6)
net.crop(2)
shapes = [(name, tuple(p.shape), p.requires_grad) for name, p in net.named_parameters()]
kept = [net.parts.out.bias]
"""


@pytest.mark.frameworks
def test_part_of_the_old_one(tmp_path: Path) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, PROGRAM)
    assert torch_side.shapes == mindspore_side.shapes
    equal_tensors(torch_side.kept, mindspore_side.kept)


OF_NONE = """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)
        self.register_parameter("shift", None)


net = Net()
net.shift = nn.Parameter(torch.ones(2))
names = [name for name, _ in net.named_parameters()]
"""


@pytest.mark.frameworks
def test_in_the_place_of_none(tmp_path: Path) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, OF_NONE)
    assert torch_side.names == mindspore_side.names == ["shift", "fc.weight", "fc.bias"]
