"""``F.relu(x, inplace=flag)``: a function whose flag the program sets overwrites its input only where that says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides, equal_tensors

PROGRAM = """
import torch
from torch import nn
from torch.nn import functional as F


class Bounded(nn.Module):
    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace

    def forward(self, x):
        return F.hardtanh(x, -1.0, 1.0, self.inplace)


def sloped(x, flag):
    y = F.leaky_relu(x, 0.5, flag)
    return x + y


def alone(x, flag):
    F.relu(x, inplace=flag)
    return x


found = []
for flag in (False, True):
    for run in (Bounded(flag), lambda x: sloped(x, flag), lambda x: alone(x, flag)):
        x = torch.tensor([-3.0, 2.0, 0.5])
        found += [run(x) + 0, x]
"""


@pytest.mark.frameworks
def test_both_sides(tmp_path: Path) -> None:
    theirs, ours = both_sides(tmp_path, PROGRAM)
    equal_tensors(theirs.found, ours.found)
