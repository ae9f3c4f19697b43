"""Normalisation without a scale: what MindSpore's cell holds in its place is no parameter of the converted program."""

from __future__ import annotations

from pathlib import Path

import pytest

pytestmark = pytest.mark.frameworks
torch = pytest.importorskip("torch", reason="this file compares the frameworks")
ms = pytest.importorskip("mindspore", reason="this file compares the frameworks")

from tests.convert.both_sides import both_sides  # noqa: E402

PROGRAM = '''
import torch
import torch.nn as nn

net = nn.Sequential(
    nn.Linear(3, 4), nn.BatchNorm1d(4, affine=False), nn.LayerNorm(4, elementwise_affine=False), nn.Unflatten(1, (4, 1, 1)),
    nn.BatchNorm2d(4, affine=False), nn.BatchNorm2d(4),
)
names = [name for name, _ in net.named_parameters()]
for p in net.parameters():
    p.requires_grad = True
penalty = sum(p.pow(2).sum() for p in net.parameters() if p.ndim == 1 and p.sum() > 3.5).item()
number = sum(p.numel() for p in net.parameters())
stored = [key for key in net.state_dict() if "num_batches" not in key]
'''


def test_what_stands_for_a_missing_scale_is_not_trained_and_not_stored(tmp_path: Path) -> None:
    before, after = both_sides(tmp_path, PROGRAM)
    assert after.names == before.names and after.number == before.number
    assert after.stored == before.stored
    assert after.penalty == pytest.approx(before.penalty)
