"""Changes that no gradient may record, where the whole body of a loop or branch stands behind its header."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover
from tests.convert.both_sides import both_sides, equal_tensors

PROGRAM = """
import torch
from torch import nn

torch.manual_seed(0)
centers = nn.Parameter(torch.tensor([[1.0, 2.0], [3.0, -4.0]]))
scales = nn.Parameter(torch.tensor([0.5, 2.0]))
loss = (centers * scales).pow(2).sum()
loss.backward()
for one in (centers, scales): one.grad.data *= 1.0 / 0.25
if len(centers): scales.grad.data.add_(1.0)
else: scales.grad.data.zero_()
for one in [centers, scales]: one.data -= 0.1 * one.grad.data
kept = [centers.detach(), scales.detach(), centers.grad, scales.grad]
"""
CHAIN_IN_LAMBDA = """
import torch
from torch import nn


class Labels(nn.Module):
    def __init__(self):
        super().__init__()
        self.one_hot = lambda y: y.new(y.size(0), 5).fill_(0).scatter_(1, y.unsqueeze(1), 1)


def marks():
    mark = lambda y: y.new(y.size(0), 5).fill_(0).scatter_(1, y.unsqueeze(1), 1)
    return mark(torch.tensor([1, 0]))


kept = [Labels().one_hot(torch.tensor([2, 0, 3])), marks()]
"""
OWN_NAME = """
import torch
from torch import nn


class Gain(nn.Module):
    def __init__(this, width):
        super().__init__()
        this.gain = nn.Parameter(torch.ones(width))
        this.gain = nn.Parameter(this.gain.data * 3)
        this.shift = nn.Parameter(torch.zeros(width))

    def forward(this, x):
        return x * this.gain + this.shift


class Pair(nn.Module):
    def __init__(this):
        super().__init__()
        this.first, this.second = Gain(2), Gain(2)

    def forward(this, x):
        return this.second(this.first(x))


pair = Pair()
kept = [pair(torch.tensor([[1.0, 2.0]])).detach(), *(p.detach() for p in pair.parameters())]
"""


@pytest.mark.frameworks
@pytest.mark.parametrize("program", [PROGRAM, OWN_NAME, CHAIN_IN_LAMBDA])
def test_both_sides(tmp_path: Path, program: str) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, program)
    equal_tensors(torch_side.kept, mindspore_side.kept)


def test_the_body_becomes_a_block(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    conversion = convert(discover(tmp_path))
    assert not [finding for finding in conversion.findings if finding.code in ("MP109", "MP909")]
    text = next(text for path, text in conversion.files.items() if path.name == "program.py")
    assert "for one in (centers, scales):\n    with no_grad():\n        mul_(" in text
