"""``nn.Parameter(torch.zeros(n, requires_grad=True))`` where gradients come from the tape: the parameter can take other values afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides, equal_tensors

PROGRAM = """
import torch
from torch import nn


class Scale(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.scale = nn.Parameter(torch.zeros(channels, requires_grad=True))

    def forward(self, x):
        return self.scale[:, None] * x


first, second, third = Scale(3), Scale(3), Scale(3)
losses = {}
for name, module in (("first", first), ("second", second)):
    losses[name] = module(torch.ones(3, 2)).sum()
for name in losses:
    losses[name].backward()
kept = [second.scale.detach(), first.scale.grad]
"""


@pytest.mark.frameworks
def test_a_parameter_of_a_tensor_that_asks_can_be_loaded(tmp_path: Path) -> None:
    expected, actual = both_sides(tmp_path, PROGRAM)
    equal_tensors(expected.kept, actual.kept)
    actual.third.scale.set_data(actual.first.scale.grad)  # as MindSpore loads a checkpoint
    assert actual.third.scale.asnumpy().tolist() == expected.first.scale.grad.tolist()
