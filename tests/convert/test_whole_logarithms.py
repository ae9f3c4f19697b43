"""Logarithms of which the whole part counts: buckets of relative positions, levels of pyramids, numbers of digits."""

from __future__ import annotations

from pathlib import Path

import pytest

pytestmark = pytest.mark.frameworks
pytest.importorskip("torch", reason="this file compares the frameworks")
pytest.importorskip("mindspore", reason="this file compares the frameworks")

from tests.convert.both_sides import converted_script, printed_by_both  # noqa: E402

PROGRAM = """
import math

import torch


def bucket(relative_position, num_buckets=32, max_distance=128):
    n = torch.max(-relative_position, torch.zeros_like(relative_position))
    max_exact = num_buckets // 2
    val_if_large = max_exact + (torch.log(n.float() / max_exact) / math.log(max_distance / max_exact) * (num_buckets - max_exact)).to(torch.long)
    return torch.where(n < max_exact, n, torch.min(val_if_large, torch.full_like(val_if_large, num_buckets - 1)))


def levels(areas, lowest=2, highest=5):
    found = torch.floor(4 + torch.log2(torch.sqrt(areas) / 224))
    return torch.clamp(found, min=lowest, max=highest).to(torch.int64) - lowest


powers = 2.0 ** torch.arange(-6, 20)
print(torch.log2(powers).floor().tolist(), powers.log2().long().tolist(), torch.ceil(torch.log2(powers)).tolist())
depth = torch.log2(torch.tensor([8, 9, 64]))
print(depth.int().tolist(), [int(torch.log2(p)) for p in powers], int(torch.log10(torch.tensor(1000.0)).item()))
print(bucket(-torch.arange(1, 200)).tolist())
print(levels(torch.tensor([56.0, 112.0, 224.0, 300.0, 448.0, 896.0]) ** 2).tolist())
print(torch.log10(torch.tensor([1.0, 10.0, 99.0, 100.0, 1000.0])).floor().tolist())
"""


def test_the_same_whole_parts(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    assert ours == theirs


def test_other_logarithms_stay(tmp_path: Path) -> None:
    text = converted_script(tmp_path, "import torch\n\n\ndef entropy(p):\n    kept = -(p * torch.log(p)).sum(-1)\n    return kept.mean(), torch.log2(p + 1) / 2\n")
    assert "ops.log(p)" in text and "ops.log2(p + 1)" in text
