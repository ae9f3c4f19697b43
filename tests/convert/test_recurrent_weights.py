"""Parameters of recurrent layers by computed names: ``gru._flat_weights_names``, ``gru.weight_ih_l0``."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides, converted_script, equal_tensors

PROGRAM = """
import torch
from torch import nn


def init(module):
    if type(module) == nn.GRU:
        for param in module._flat_weights_names:
            if "weight" in param:
                nn.init.constant_(module._parameters[param], 0.5)


net = nn.Sequential(nn.GRU(3, 2, num_layers=2, bidirectional=True))
net.apply(init)
gru = nn.GRU(3, 2)
nn.init.constant_(gru.weight_ih_l0, 2)
names = net[0]._flat_weights_names
kept = [net[0].weight_ih_l0.detach(), net[0].weight_hh_l1_reverse.detach(), gru.weight_ih_l0.sum().detach()]
"""


def test_a_layer_by_name_has_parameters(tmp_path: Path) -> None:
    text = converted_script(tmp_path, "from torch import nn\ngru = nn.GRU(3, 2)\nprint(gru.weight_hh_l0.sum())\n")
    assert text.endswith("print(gru.weight_hh_l0.sum())\n")


@pytest.mark.frameworks
def test_both_sides(tmp_path: Path) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, PROGRAM)
    equal_tensors(torch_side.kept, mindspore_side.kept)
    assert torch_side.names == mindspore_side.names
