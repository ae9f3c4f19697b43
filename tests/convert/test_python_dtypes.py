"""Python's types as dtypes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides, converted_script, equal_tensors


def test_the_text(tmp_path: Path) -> None:
    text = "import torch\nx = torch.ones(2, dtype=bool)\ny = x.to(float)\nz = x.to(dtype=torch.int32)\n"
    assert converted_script(tmp_path, text).endswith("x = ops.ones(2, dtype=ms.bool_)\ny = to(x, ms.float64)\nz = x.to(dtype=ms.int32)\n")


PROGRAM = """
import torch
x = torch.tensor([1.5, 0.0])
made = [torch.zeros(2, dtype=float), torch.ones((2, 2), dtype=bool), torch.full((2,), 1, dtype=int), x.to(float), torch.tensor([1, 2], dtype=float),
        torch.zeros_like(x, dtype=int), torch.arange(3, dtype=float), x.new_zeros(2, dtype=bool)]
"""


@pytest.mark.frameworks
def test_the_dtypes(tmp_path: Path) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, PROGRAM)
    equal_tensors(torch_side.made, mindspore_side.made)
