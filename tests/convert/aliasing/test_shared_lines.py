"""Changes on a line with other statements: ``conv(x); conv.weight.data.fill_(0.5)`` gets lines of its own where it needs a block."""

from __future__ import annotations

from pathlib import Path

import pytest

pytestmark = pytest.mark.frameworks
pytest.importorskip("torch", reason="this file compares the frameworks")
pytest.importorskip("mindspore", reason="this file compares the frameworks")

from mindport.convert import convert  # noqa: E402
from mindport.source.discover import discover  # noqa: E402
from tests.convert.both_sides import converted_script, printed_by_both  # noqa: E402

NOTEBOOK = """
import torch
from torch import nn

conv = nn.LazyConv2d(1, kernel_size=(1, 2), bias=False)
x = torch.arange(8.0).view(1, 1, 2, 4)
conv(x); conv.weight.data.fill_(0.5); print(conv.weight.sum().item())
for step in range(2):
    loss = conv(x).sum(); loss.backward(); conv.weight.data -= 0.125 * conv.weight.grad; conv.weight.grad = None  # by hand
    print(loss.item(), conv.weight.sum().item())
"""


def test_the_same_numbers(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, NOTEBOOK)
    assert ours == theirs
    assert not [finding for finding in convert(discover(tmp_path / "before")).findings if finding.code == "MP109"]


def test_behind_a_header_the_line_stays_and_is_told(tmp_path: Path) -> None:
    text = converted_script(tmp_path, NOTEBOOK.replace("conv(x); conv.weight", "if True: conv(x); conv.weight"))
    assert "# mindport: MP109" in text
