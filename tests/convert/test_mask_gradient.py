"""Masks that are computed with twice where a gradient is taken: MindSpore would add up gradients of truth values, and raises."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.convert.both_sides import both_sides, converted_script

PROGRAM = """
import torch
from torch import nn


class Trimmed(nn.Module):
    def __init__(self, limit):
        super().__init__()
        self.weight = nn.Parameter(torch.tensor([0.5, 2.0, -1.0]))
        self.limit = limit

    def forward(self, x, target):
        error = (x * self.weight - target).abs()
        easy = error <= self.limit
        hard = (error > self.limit) & ~(error > 10)
        return (error * easy).sum() / easy.sum().clamp(min=1) + 0.1 * (hard * error).sum() / (hard.float().sum() + 1)


model = Trimmed(1.0)
loss = model(torch.tensor([1.0, 2.0, 3.0]), torch.tensor([0.0, 3.5, 20.0]))
loss.backward()
kept = [loss.detach(), model.weight.grad]
"""


@pytest.mark.frameworks
def test_gradients_pass_masks(tmp_path: Path) -> None:
    expected, actual = both_sides(tmp_path, PROGRAM)
    for theirs, ours in zip(expected.kept, actual.kept, strict=True):
        np.testing.assert_allclose(ours.asnumpy(), theirs.numpy(), rtol=1e-6)


@pytest.mark.parametrize(("body", "marked"), [
    ("m = x > 0\n    return (x * m).sum() / m.sum()", True),
    ("m = x.gt(0)\n    return (x * m).sum() / m.sum()", True),
    ("m = (x > 0) & (x < 5)\n    return (x * m).sum() / m.sum()", True),
    ("m = x > 0\n    return (x * m).sum()", False),  # one gradient
    ("m = x > 0\n    return x[m].sum() + x[m].mean()", False),  # indices
    ("m = mode == 'train'\n    return x * m + m", False),
    ("m = (x > 0).float()\n    return (x * m).sum() / m.sum()", False),  # a number's own gradient
    ("m = x > 0\n    return torch.where(m, x, x * 2) if m.any() else x", False),
])  # fmt: skip
def test_the_text(tmp_path: Path, body: str, marked: bool) -> None:
    text = f"import torch\n\n\ndef f(x, mode):\n    x = torch.relu(x)\n    {body}\n"
    assert ("m = ops.stop_gradient(" in converted_script(tmp_path, text)) is marked
