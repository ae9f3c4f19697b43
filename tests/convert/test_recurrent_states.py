"""States of recurrent layers: an LSTM's two as a list, beside a GRU's tensor in the same place."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides, equal_tensors

PROGRAM = """
import torch
from torch import nn


def constant(layer):
    for p in layer.parameters():
        nn.init.constant_(p, 0)
    return layer


class Runs(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.rnn = inner

    def forward(self, x, state=None):
        return self.rnn(x, state)


x = torch.ones(3, 2, 4)
pair = [torch.ones(1, 2, 5), torch.zeros(1, 2, 5)]
kept = []
for inner, state in ((constant(nn.LSTM(4, 5)), pair), (constant(nn.GRU(4, 5)), pair[0]), (constant(nn.GRU(4, 5)), None)):
    out, last = Runs(inner)(x, state)
    kept.append(out.detach())
"""


@pytest.mark.frameworks
def test_both_sides(tmp_path: Path) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, PROGRAM)
    equal_tensors(torch_side.kept, mindspore_side.kept)
