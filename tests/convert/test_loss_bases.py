"""Losses of a project that derive from PyTorch's bases of loss modules."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.convert.both_sides import both_sides

pytestmark = pytest.mark.frameworks

PROGRAM = """import torch
from torch.nn.modules.loss import _Loss, _WeightedLoss


class Dice(_Loss):
    def __init__(self, eps=1e-6, reduction="mean"):
        super().__init__(reduction=reduction)
        self.eps = eps

    def forward(self, x, y):
        loss = 1 - (2 * (x * y).sum(1) + self.eps) / ((x + y).sum(1) + self.eps)
        return loss.mean() if self.reduction == "mean" else loss


class Weighted(_WeightedLoss):
    def forward(self, x, y):
        loss = (x - y).abs()
        return (loss if self.weight is None else loss * self.weight).sum()


def values(x, y):
    x, y = torch.tensor(x), torch.tensor(y)
    weighted = Weighted(weight=torch.tensor([1.0, 2.0, 3.0]))
    return Dice()(x, y), Dice(reduction="none")(x, y), weighted(x, y), Weighted()(x, y), sorted(weighted.state_dict())
"""


def test_they_give_the_same(tmp_path: Path) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, PROGRAM)
    x, y = np.random.default_rng(0).random((2, 4, 3)).astype(np.float32)
    *expected, names = torch_side.values(x, y)
    *found, of_found = mindspore_side.values(x, y)
    for one, other in zip(expected, found, strict=True):
        np.testing.assert_allclose(other.asnumpy(), one.numpy(), rtol=1e-6)
    assert names == of_found
