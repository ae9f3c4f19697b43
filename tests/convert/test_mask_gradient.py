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
    ("m = (x > 0) * (x < 5)\n    return (x * m).sum() / m.sum()", True),
    ("m = torch.ones(3, dtype=torch.bool)\n    m = m & (x > 0)\n    return (x * m).sum() / m.sum()", True),  # goes on from itself
    ("m = x > 0\n    return (x * m).sum()", False),  # one gradient
    ("m = x > 0\n    return x[m].sum() + x[m].mean()", False),  # indices
    ("m = mode == 'train'\n    return x * m + m", False),
    ("m = (x > 0).float()\n    return (x * m).sum() / m.sum()", False),  # a number's own gradient
    ("m = x > 0\n    return torch.where(m, x, x * 2) if m.any() else x", False),
])  # fmt: skip
def test_the_text(tmp_path: Path, body: str, marked: bool) -> None:
    text = f"import torch\n\n\ndef f(x, mode):\n    x = torch.relu(x)\n    {body}\n"
    assert ("m = ops.stop_gradient(" in converted_script(tmp_path, text)) is marked


HANDED_ON = """
import torch


def masked(x, mask, power=1):
    return (x * mask).sum() ** power


def kept(x, mask):
    return x[mask].sum()


def mask_of(scores, target):
    return torch.zeros_like(scores).scatter_(1, target.unsqueeze(1), 1).bool()


weight = torch.tensor([[0.5, -1.0], [2.0, 0.25]], requires_grad=True)
hits = mask_of(weight, torch.tensor([0, 1]))
chosen = mask_of(weight, torch.tensor([1, 1]))
loss = masked(torch.exp(weight), hits) + masked(weight, hits) + kept(weight, chosen) + kept(weight * 2, chosen)
loss.backward()
kept_values = [loss.detach(), weight.grad]
"""


def test_a_function_that_computes_with_its_parameter_counts(tmp_path: Path) -> None:
    text = converted_script(tmp_path, HANDED_ON)
    assert "hits = ops.stop_gradient(mask_of(" in text and "chosen = mask_of(" in text


@pytest.mark.frameworks
def test_gradients_pass_masks_that_are_handed_on(tmp_path: Path) -> None:
    expected, actual = both_sides(tmp_path, HANDED_ON)
    for theirs, ours in zip(expected.kept_values, actual.kept_values, strict=True):
        np.testing.assert_allclose(ours.asnumpy(), theirs.numpy(), rtol=1e-6)
