"""Tensors and options where a whole number or a truth value belongs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides, converted_script

PROGRAM = """
import argparse

import torch
import torch.nn as nn

counts = torch.tensor([3, 1, 2])
made = [
    torch.randint(0, max(1, 9 - counts.max()), (2,)), torch.randint(1, 5, (sum(counts),)), torch.rand(sum(counts)), torch.randint(counts[1], counts[0], (4,)),
    torch.full((counts[0], 2), 7), torch.randn(counts.sum(), 2), torch.full((3, counts.max()), -1), *torch.ones(4, 3).chunk(counts[2]),
    nn.functional.pad(torch.ones(1, 2), (0, counts[0])), *torch.split(torch.arange(6), counts[2]),
]
sizes = [tuple(t.shape) for t in made]
options = argparse.Namespace(yes=1, no=0, nothing=None)
layers = [
    nn.Linear(2, 3, bias=options.yes), nn.Linear(2, 3, bias=options.nothing), nn.Conv2d(2, 3, 1, bias=options.no), nn.Conv1d(2, 3, 1, bias=0),
    nn.ConvTranspose2d(2, 3, 1, bias=None), nn.Linear(2, 3, bias=None), nn.Conv2d(2, 3, 1, 1, 0, 1, 1, options.yes), nn.BatchNorm2d(3, affine=1 if options else 0),
]
x = torch.tensor([[1.0, 2.0, 3.0], [2.0, 4.0, 7.0]])


def made_by(kind, *arguments):
    return kind(*arguments)


normed = [layer(x).sum(1).tolist() for layer in (nn.BatchNorm1d(3, 1), nn.BatchNorm1d(3, int(1.5)), nn.LayerNorm(3, eps=1), made_by(nn.BatchNorm1d, 3, 1))]
states = [len([k for k in layer.state_dict() if k in ("weight", "bias")]) for layer in layers]
"""


@pytest.mark.frameworks
def test_what_torch_takes_is_taken(tmp_path: Path) -> None:
    theirs, ours = both_sides(tmp_path, PROGRAM)
    assert ours.sizes == theirs.sizes
    assert ours.states == theirs.states
    assert ours.normed == [pytest.approx(row, abs=1e-4) for row in theirs.normed]


@pytest.mark.parametrize("line", ["x = torch.randint(0, n, (n,))", "x = torch.rand(n, 3)", "y = nn.Linear(n, n, bias=flag)", "y = nn.Linear(n, n, bias=n > 1)"])
def test_numbers_and_flags_stay(tmp_path: Path, line: str) -> None:
    text = converted_script(tmp_path, f"import torch\nfrom torch import nn\ndef f(n, flag=True):\n    {line}\n")
    assert "int(n" not in text and "bool(" not in text


WINDOWS = """
import torch
import torch.nn as nn
import torch.nn.functional as F

x, w, k = torch.arange(64.0).view(1, 1, 8, 8), torch.ones(1, 1, 2, 2), [2, 2]
made = [
    F.max_pool2d(x, [2, 2]), F.max_pool2d(x, 3, stride=k, padding=[1, 1], dilation=[1, 1]), F.avg_pool2d(x, k, [2, 2], [1, 1]), F.max_pool1d(x[0], [2]),
    F.conv2d(x, w, stride=[2, 2], padding=[1, 1]), F.adaptive_avg_pool2d(x, [2, 4]), nn.AdaptiveAvgPool2d([2, 2])(x), nn.MaxPool2d(k, [2, 1])(x), F.adaptive_max_pool2d(x, output_size=[None, 2]),
]
values = [t.tolist() for t in made]
"""


@pytest.mark.frameworks
def test_windows_in_lists(tmp_path: Path) -> None:
    theirs, ours = both_sides(tmp_path, WINDOWS)
    assert ours.values == theirs.values
    text = (tmp_path / "after" / "program.py").read_text(encoding="utf-8")
    assert "ops.max_pool2d(x, (2, 2))" in text
    assert "stride=tuple(k)" in text
