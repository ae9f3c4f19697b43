"""Equivalents that import another one under a name of their own, since a parameter of theirs has its name."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover
from tests.convert.both_sides import both_sides, equal_tensors

PROGRAM = """import torch
import torch.nn.functional as F

x = torch.tensor([-2.0, 0.5, 3.0])
limits = (1.0, -7.0)
F.threshold_(x, *limits)
y = F.threshold(x, 0.0, 9.0)
"""


def test_the_function_is_called_by_another_name_than_the_parameters(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    text = {path.name: text for path, text in convert(discover(tmp_path)).files.items()}["torch_equivalents.py"]
    assert "above = threshold\n" in text
    assert "above(input.copy(), threshold, value)" in text


@pytest.mark.frameworks
def test_the_values(tmp_path: Path) -> None:
    before, after = both_sides(tmp_path, PROGRAM)
    equal_tensors([before.x, before.y], [after.x, after.y])
