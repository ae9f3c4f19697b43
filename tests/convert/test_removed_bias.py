"""A bias that is taken away."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides

PROGRAM = """
import torch
from torch import nn


class Plain(nn.Linear):
    def __init__(self, n, m):
        super().__init__(n, m)
        self.bias = None


def strip(net):
    for m in net.modules():
        if isinstance(m, nn.Conv2d):
            m.bias = None
    return net


conv = strip(nn.Sequential(nn.Conv2d(2, 3, 3)))[0]
conv.weight.data.fill_(0.5)
plain = Plain(2, 3)
plain.weight.data.fill_(0.25)
results = [conv(torch.ones(1, 2, 3, 3)).flatten().tolist(), plain(torch.ones(1, 2)).flatten().tolist()]
names = [name for name, _ in conv.named_parameters()] + list(plain.state_dict())
"""


@pytest.mark.frameworks
def test_the_layer_goes_on_without_it(tmp_path: Path) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, PROGRAM)
    assert torch_side.results == mindspore_side.results
    assert torch_side.names == mindspore_side.names
