"""Indices of uint8 are masks."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover
from tests.convert.both_sides import both_sides, converted_script, equal_tensors

PROGRAM = '''
import torch


def mask_of(x):
    return (x > 2).byte()


def run():
    x = torch.arange(6.0).reshape(2, 3)
    x.requires_grad_()
    mask = mask_of(x.detach())
    taken = x[mask]
    taken.sum().backward()
    row = torch.tensor([1, 0, 1], dtype=torch.uint8)
    y = torch.zeros(2, 3)
    y[mask] = torch.tensor([5.0, 6.0, 7.0])
    z = torch.zeros(2, 3)
    z[mask] = x.detach()[mask] * 2
    where = torch.tensor([1, 0])
    return [t.tolist() for t in (taken.detach(), x.grad, y, x.detach()[1:, row], z, y[where], x.detach()[mask.bool()])]
'''


@pytest.mark.frameworks
def test_as_torch(tmp_path: Path) -> None:
    pytest.importorskip("mindspore", reason="this test compares the frameworks")
    from tests.convert.both_sides import both_sides

    before, after = both_sides(tmp_path, PROGRAM)
    assert after.run() == before.run()


@pytest.mark.parametrize("text", ["x = torch.zeros(3)\nx[i] = torch.ones(1)\n", "import numpy as np\n\nx = torch.zeros(3, dtype=torch.int64)[i].numpy().astype(np.uint8)\n", "x = torch.zeros(3).byte()[0]\n"])
def test_only_where_there_are_such_indices(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.py").write_text(f"import torch\n\ni = torch.tensor([0])\n{text}")
    assert not any("BYTES_ARE_MASKS" in text for text in convert(discover(tmp_path)).files.values())


CHOSEN = """import torch

x = torch.tensor([[0.0, 1.0], [2.0, 0.0]])
full = (x == 0).prod(-1, keepdim=True, dtype=torch.uint8)
empty = (x == 0).all(-1, keepdim=True).byte()
kept = [torch.where(full, x, x + 1), torch.where(empty, x, x - 1), x.where((x > 0).byte(), x * 0), torch.where(x > 0, x, -x)]
"""


@pytest.mark.frameworks
def test_where_takes_bytes_for_truth_values(tmp_path: Path) -> None:
    theirs, ours = both_sides(tmp_path, CHOSEN)
    equal_tensors(theirs.kept, ours.kept)


def test_only_bytes_are_made_truth_values(tmp_path: Path) -> None:
    text = converted_script(tmp_path, CHOSEN)
    assert "ops.where(full.bool(), x, x + 1)" in text and "ops.where(x > 0, x, -x)" in text


def test_truth_values_are_not_cast_again(tmp_path: Path) -> None:
    text = converted_script(tmp_path, "import torch\n\n\ndef f(a: torch.Tensor, b: torch.Tensor):\n    return (a > 1).all(), torch.all(a == b), torch.nonzero(a != b), torch.all(a)\n")
    assert "return ops.all(a > 1), ops.all(a == b), ops.nonzero(a != b), ops.all(a.bool())" in text
