"""What one call of the library gives are tensors of their own: changing one says nothing to the other."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover
from tests.convert.both_sides import both_sides, equal_tensors

PROGRAM = """
import torch


def match(overlaps, x: torch.Tensor):
    best_prior, prior = overlaps.max(1, keepdim=True)
    best_truth, truth = overlaps.max(0, keepdim=True)
    truth.squeeze_(0)
    best_truth.squeeze_(0)
    prior.squeeze_(1)
    best_prior.squeeze_(1)
    best_truth.index_fill_(0, prior, 2)
    for j in range(prior.size(0)):
        truth[prior[j]] = j
    largest, places = torch.topk(x, 2)
    largest.mul_(2)
    places.add_(1)
    return best_prior, prior, best_truth, truth, largest, places


kept = match(torch.tensor([[0.1, 0.7, 0.3], [0.9, 0.2, 0.4]]), torch.tensor([[3.0, 1.0, 2.0], [5.0, 9.0, 7.0]]))
"""
TWICE = """
import torch


def twice(x):
    y = x + 1
    return y, y


a, b = twice(torch.ones(3))
a.add_(1)
kept = [a, b, *torch.broadcast_tensors(a, b)]
"""


def test_nothing_is_told(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    assert not [finding for finding in convert(discover(tmp_path)).findings if finding.code == "MP109"]


@pytest.mark.frameworks
@pytest.mark.parametrize("program", [PROGRAM, TWICE])
def test_both_sides(tmp_path: Path, program: str) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, program)
    equal_tensors(torch_side.kept, mindspore_side.kept)
