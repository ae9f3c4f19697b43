"""`nn.Upsample` by a factor that gives no whole sizes, and in the modes that MindSpore's operator gets wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import printed_by_both

PROGRAM = """import torch
from torch import nn

x = torch.arange(20.0).reshape(1, 1, 4, 5).requires_grad_()
for mode in ("bilinear", "nearest", "bicubic", "nearest-exact"):
    for factor in (1.5, 0.7, (1.5, 2.0)):
        for again in (None, True):
            x.grad = None
            made = nn.Upsample(scale_factor=factor, mode=mode, recompute_scale_factor=again)(x)
            (made * made).sum().backward()
            print(mode, factor, again, tuple(made.shape), f"{made.sum().item():.2f} {x.grad[0, 0, 1, 1].item():.2f}")
corners = nn.Upsample(scale_factor=1.5, mode="bilinear", align_corners=True)(x)
print(tuple(corners.shape), f"{corners.sum().item():.2f}")
"""


@pytest.mark.frameworks
def test_factors_and_modes(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    assert theirs == ours
