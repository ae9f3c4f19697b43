"""Tensors of truth values and whole numbers keep their dtype when they are changed in place."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides, equal_tensors

PROGRAM = """
import torch


def made():
    a = torch.ones((3, 3), dtype=bool)
    a = a.fill_diagonal_(0)
    b = torch.ones(3, dtype=torch.bool)
    b.masked_fill_(torch.tensor([True, False, True]), 0)
    c = torch.zeros(3, dtype=torch.uint8)
    c.masked_fill_(torch.tensor([True, False, True]), 1)
    d = torch.zeros(3, dtype=torch.int32)
    d.add_(torch.tensor([1, 2, 3]))
    d += torch.tensor([1, 2, 3])
    e = torch.zeros(2, dtype=torch.bool).logical_not_()
    return [a, b, c, d, e, torch.arange(9.0).view(3, 3)[a]]


kept = made()
"""


@pytest.mark.frameworks
def test_the_dtypes(tmp_path: Path) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, PROGRAM)
    equal_tensors(torch_side.kept, mindspore_side.kept)


FLOATS = """
import torch


def moved(y, by):
    y = y * 2
    y.add_(torch.ones(3))
    return y


def shifted(y):
    y = y * 2
    y += torch.tensor([0.5, 1.0, 1.5], dtype=torch.float64)
    y -= torch.tensor(0.5, dtype=torch.float64)
    return y


x = torch.tensor([0.5, -1.0, 2.0])
short = torch.tensor([0.5, -1.0, 2.0], dtype=torch.float16)
short.clamp_(max=torch.tensor([0.25, 0.25, 0.25]))
kept = [short, moved(x.half(), 1), moved(x, 1), shifted(x), shifted(x.double())]
"""


@pytest.mark.frameworks
def test_the_dtypes_of_floats(tmp_path: Path) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, FLOATS)
    equal_tensors(torch_side.kept, mindspore_side.kept)


DRAWN = """
import numpy as np
import torch

rng = np.random.RandomState(3)
stream = np.random.default_rng(3)
noisy = torch.zeros(3)
noisy += torch.from_numpy(rng.standard_normal(3) * 0.5)
scaled = torch.ones(3)
scaled *= torch.tensor(stream.uniform(1, 2, size=3))
total = torch.zeros(4)
for row in np.linspace(0, 1, 12).reshape(3, 4):
    total += torch.from_numpy(row)
counted = torch.ones(3)
counted += torch.from_numpy(stream.integers(0, 5, 3))
kept = [noisy, scaled, total, counted]
"""


@pytest.mark.frameworks
def test_what_numpy_draws_does_not_widen(tmp_path: Path) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, DRAWN)
    equal_tensors(torch_side.kept, mindspore_side.kept)
