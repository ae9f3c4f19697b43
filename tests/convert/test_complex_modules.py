"""Casts of modules beside complex tensors leave complex parameters and buffers as they are: MindSpore's own make them real."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.convert.both_sides import both_sides, converted_script

TEXT = """import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.rand(2, 2, dtype=torch.{dtype}))

    def forward(self, x):
        return x @ self.weight


{line}
"""


@pytest.mark.parametrize(
    ("dtype", "line", "written"),
    [
        ("cfloat", "net = Net().float()", "net = float_of_complex(Net().set_train())"),
        ("complex64", "net = Net().double()", "net = double_of_complex(Net().set_train())"),
        ("float32", "net = Net().float()", "net = Net().set_train().to(dtype=ms.float32)"),
        ("cfloat", "def cast(net): return net.float()", 'def cast(net): return method(net, "float", tensor_float, float_of_complex)()'),
        ("float32", "def cast(net): return net.float()", 'def cast(net): return method(net, "float", tensor_float, single)()'),
    ],
)
def test_the_text(tmp_path: Path, dtype: str, line: str, written: str) -> None:
    assert written in converted_script(tmp_path, TEXT.format(dtype=dtype, line=line)).splitlines()


PROGRAM = """import torch
from torch import nn

net = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2).to(torch.cfloat))
net.register_buffer("turn", torch.complex(torch.zeros(2), torch.ones(2)))
for p in net.parameters():
    held = torch.arange(float(p.numel())).view(p.shape)
    p.data.copy_(torch.complex(held, held + 1) if p.is_complex() else held)
net = net.float()
kept = [torch.view_as_real(p.data) if p.is_complex() else p.data for p in [*net.parameters(), net.turn]]
"""


@pytest.mark.frameworks
def test_the_values(tmp_path: Path) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, PROGRAM)
    for one, other in zip(torch_side.kept, mindspore_side.kept, strict=True):
        np.testing.assert_array_equal(other.asnumpy(), one.numpy())
