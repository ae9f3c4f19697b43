"""A normalisation's momentum that a program sets later: whole numbers, too (0 keeps the statistics as they are)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides

PROGRAM = """import torch
from torch import nn

x = torch.arange(24.0).view(4, 2, 3) / 7


def statistics(momentum):
    norm = nn.BatchNorm1d(2)
    norm.train()
    kept = norm.momentum
    norm.momentum = momentum
    norm(x)
    during = norm.running_mean.tolist()
    norm.momentum = kept
    norm(x)
    return during, norm.running_mean.tolist(), norm.running_var.tolist()


results = [statistics(0), statistics(1), statistics(0.5)]
"""


@pytest.mark.frameworks
def test_statistics_move_as_in_torch(tmp_path: Path) -> None:
    theirs, ours = both_sides(tmp_path, PROGRAM)
    for expected, made in zip(theirs.results, ours.results, strict=True):
        for a, b in zip(expected, made, strict=True):
            assert b == pytest.approx(a, rel=1e-5, abs=1e-6)
