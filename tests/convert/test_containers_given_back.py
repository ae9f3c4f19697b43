"""Containers that are added to in a chain of calls, and sequences that are joined."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides, converted_script

PROGRAM = """
import torch
from torch import nn

net = nn.Sequential(nn.Flatten()).append(nn.ReLU()).append(nn.Softmax(1))
layers = nn.ModuleList().append(nn.Tanh()).append(nn.Identity())
both = nn.Sequential(nn.Linear(2, 2, bias=False), nn.ReLU()) + nn.Sequential(nn.BatchNorm1d(2))
nn.init.ones_(both[0].weight)
x = torch.tensor([[-1.0, 2.0], [3.0, 0.5]])
found = [len(net), len(layers), len(both), both.training, [name for name, _ in both.named_parameters()], len(net.extend([nn.Identity()]))]
block = nn.Sequential(nn.Linear(2, 2, bias=False), nn.ReLU())
nn.init.ones_(block[0].weight)
kept, four = block, (block * 2) * 1
block += nn.Sequential(nn.Tanh())
block *= 2
layers += [nn.ReLU()]
found += [len(2 * net), len(four), len(block), kept is block, len(layers), len(layers + [nn.ReLU()]), len(nn.ModuleList() + layers), four[0] is four[2]]
results = [block(x).tolist(), four(x).tolist(), net(x).tolist(), both(x).tolist(), (nn.Sequential(nn.ReLU()) + net)(x).tolist()]
"""


@pytest.mark.frameworks
def test_what_they_give(tmp_path: Path) -> None:
    theirs, ours = both_sides(tmp_path, PROGRAM)
    assert ours.found == theirs.found
    for one, other in zip(ours.results, theirs.results, strict=True):
        assert one == [pytest.approx(row, abs=1e-5) for row in other]


def test_a_statement_stays(tmp_path: Path) -> None:
    text = "from torch import nn\nnet = nn.Sequential()\nnet.append(nn.ReLU())\nlayers = []\nlast = layers.append(net)\n"
    assert converted_script(tmp_path, text).endswith("net.append(nn.ReLU())\nlayers = []\nlast = layers.append(net)\n")
