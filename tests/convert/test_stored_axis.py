"""Weights of one-dimensional convolutions, which MindSpore stores with an axis more: read and written as torch's."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mindport.convert import convert
from mindport.source.discover import discover
from tests.convert.both_sides import both_sides


@pytest.mark.parametrize(("line", "expected"), [
    ("y = self.c.weight.view(-1)", "y = self.c.weight.squeeze(2).view(-1)"),
    ("y = F.conv1d(x, self.c.weight)", "y = ops.conv1d(x, self.c.weight.squeeze(2), pad_mode=\"pad\")"),
    ("y = self.c.weight * 2", "y = self.c.weight.squeeze(2) * 2"),
    ("y = self.c.weight is None", "y = self.c.weight is None"),
    ("y = keep(self.c.weight)", "y = keep(self.c.weight)"),
    ("y = self.c.weight", "y = self.c.weight"),
])  # fmt: skip
def test_the_text(tmp_path: Path, line: str, expected: str) -> None:
    head = "import torch.nn.functional as F\nfrom torch import nn\nfrom elsewhere import keep\n\n\nclass Net(nn.Module):\n    def __init__(self):\n"
    body = "        super().__init__()\n        self.c = nn.Conv1d(2, 2, 1)\n\n    def forward(self, x):\n"
    (tmp_path / "script.py").write_text(f"{head}{body}        {line}\n        return y\n", encoding="utf-8")
    text = next(text for path, text in convert(discover(tmp_path)).files.items() if path.name == "script.py")
    assert f"        {expected}\n" in text


PROGRAM = """import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self, weight):
        super().__init__()
        weight = torch.tensor(weight)
        self.data = nn.Conv1d(2, 2, 1, bias=False)
        self.data.weight.data = weight
        self.copied = nn.Conv1d(2, 2, 1, bias=False)
        with torch.no_grad():
            self.copied.weight.copy_(weight * 2)
        self.made = nn.Conv1d(2, 2, 1, bias=False)
        self.made.weight = nn.Parameter(weight + 1)
        self.shared = nn.Conv1d(2, 2, 1, bias=False)
        self.shared.weight.data = self.made.weight.data

    def forward(self, x):
        y = F.conv1d(x, self.data.weight) + self.copied(x) + self.made(x) + self.shared(x)
        return y, self.made.weight.transpose(0, 1).reshape(-1), torch.linalg.norm(self.data.weight.squeeze()), list(self.data.weight.shape)


def run(weight, x):
    return Net(weight)(torch.tensor(x))
"""


@pytest.mark.frameworks
def test_values(tmp_path: Path) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, PROGRAM)
    generator = np.random.default_rng(0)
    weight, x = generator.standard_normal((2, 2, 1)).astype(np.float32), generator.standard_normal((3, 2, 5)).astype(np.float32)
    *expected, shape = torch_side.run(weight, x)
    *found, of_found = mindspore_side.run(weight, x)
    for one, other in zip(expected, found, strict=True):
        np.testing.assert_allclose(other.asnumpy(), one.detach().numpy(), rtol=1e-5, atol=1e-6)
    assert shape == of_found
