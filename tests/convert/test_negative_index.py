"""Gradients of what index tensors count from the back, which MindSpore loses."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides, converted_script, equal_tensors

PROGRAM = """
import torch
from torch import nn


class Biased(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Parameter(torch.arange(8.0).reshape(4, 2))

    def forward(self, index, weights):
        return (self.table[index.view(-1)] * weights).sum()


def shifted(x, rows, weights):
    before = rows - 2
    return (x[before] * weights).sum()


model = Biased()
index, weights = torch.tensor([[0, -1, -2], [1, -1, 3]]), torch.arange(12.0).reshape(6, 2)
model(index, weights).backward()
x = torch.arange(6.0).reshape(3, 2).requires_grad_()
shifted(x, torch.tensor([0, 1, 2]), torch.tensor([[1.0], [2.0], [4.0]])).backward()
kept = [model.table.grad, x.grad]
"""


@pytest.mark.frameworks
def test_gradients_reach_what_is_counted_from_the_back(tmp_path: Path) -> None:
    expected, actual = both_sides(tmp_path, PROGRAM)
    equal_tensors(expected.kept, actual.kept)


@pytest.mark.parametrize("body", ["y = x[x.argmax(1)]", "n = torch.arange(3)\n    y = x[n]", "y = x[0] + x[-1] + x[1:]", "y = x[x > 0]"])
def test_other_indices_ask_for_nothing(tmp_path: Path, body: str) -> None:
    assert "import" not in converted_script(tmp_path, f"import torch\n\n\ndef f():\n    x = torch.ones(3, 3)\n    {body}\n    return y\n").replace("from mindspore import", "")
