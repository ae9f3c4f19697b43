"""Part of a parameter filled in place: by `.data[…]` and a method, by a region given to an initializer."""

from __future__ import annotations

from pathlib import Path

import pytest

pytestmark = pytest.mark.frameworks
torch = pytest.importorskip("torch", reason="this file compares the frameworks")
ms = pytest.importorskip("mindspore", reason="this file compares the frameworks")

from mindport.convert import convert  # noqa: E402
from mindport.source.discover import discover  # noqa: E402
from tests.convert.both_sides import both_sides  # noqa: E402

PROGRAM = '''
import torch
import torch.nn as nn
from torch.nn import init


class Net(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.embed = nn.Embedding(3, n * 2)
        self.embed.weight.data[:, :n].normal_(1, 0.0)
        self.embed.weight.data[:, n:].zero_()
        self.lin = nn.Linear(4, 6)
        self.lin.weight.data[:2].fill_(0.25)
        self.lin.weight.data[2].uniform_(0.5, 0.5)
        self.lin.weight.data[3:].zero_().add_(1.0)
        init.constant_(self.lin.bias[:2], 7.0)
        nn.init.zeros_(self.lin.bias.data[2:])
        self.lin.bias.data[2:4].add_(3.0)
        self.free = nn.Parameter(torch.ones(2, 3, 2))
        init.constant_(self.free.data[0], 2.0)
        self.free.data[1, 1].fill_(9.0)
        norm = nn.BatchNorm1d(4)
        norm.weight.data[1:3].mul_(5)
        self.norm = norm

    def forward(self, x):
        return self.norm(self.lin(x)[:, :4]).sum() + (self.free * self.embed.weight.sum()).sum()


net = Net(2)
values = [p.flatten().tolist() for p in net.parameters()]
net(torch.ones(3, 4)).backward()
gradients = [p.grad.sum().item() for p in (net.free, net.embed.weight)]
'''


def test_regions_of_parameters_take_what_is_put_in_place(tmp_path: Path) -> None:
    before, after = both_sides(tmp_path, PROGRAM)
    assert after.values == before.values
    assert after.gradients == pytest.approx(before.gradients)


def test_nothing_is_reported_and_the_name_is_mindspores(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    conversion = convert(discover(tmp_path))
    assert not [f for f in conversion.findings if f.code == "MP109"]
    assert "self.embed.embedding_table[:, :n] = " in next(t for p, t in conversion.files.items() if p.name == "program.py")


def test_in_a_lambda_there_is_no_statement_to_store_in(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text("import torch\nx = torch.zeros(3)\nf = lambda: x[0].fill_(1.0)\ng = lambda: torch.nn.init.zeros_(x[:2])\n", encoding="utf-8")
    assert "f = lambda: " in next(t for p, t in convert(discover(tmp_path)).files.items() if p.name == "program.py")
