"""``lib = sys.modules[__name__]``: a file that reads its own names through the module, bases and functions among them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides, converted_script, equal_tensors

PROGRAM = """
import sys

import torch
from torch import nn

lib = sys.modules[__name__]
nn_Module = nn.Module


class Base(lib.nn_Module):
    def forward(self, x):
        return lib.relu(self.lin(x))


class Net(lib.Base):
    def __init__(self):
        super().__init__()
        self.lin = nn.LazyLinear(2)
        self.lin.weight.data.normal_(0, 0.01)
        self.lin.bias.data.fill_(7)


relu = torch.relu
size = lambda x, *args, **kwargs: x.numel(*args, **kwargs)
net = getattr(sys.modules[__name__], "Net")()
net(torch.ones(1, 4))
drawn = torch.tensor(float(net.lin.bias.detach().max()) < 1)
nn.init.constant_(net.lin.weight, 0.5)
net.lin.bias.data.fill_(-1)
kept = [drawn, net(torch.ones(1, 4)).detach(), torch.tensor(lib.size(net.lin.weight))]
"""


def test_bases_are_followed(tmp_path: Path) -> None:
    text = converted_script(tmp_path, PROGRAM)
    assert "def construct(self, x):" in text and "torch.nn" not in text.replace("torch_equivalents", "") and "mindport: MP" not in text


@pytest.mark.frameworks
def test_both_sides(tmp_path: Path) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, PROGRAM)
    equal_tensors(torch_side.kept, mindspore_side.kept)
