"""``torch.eq(a, b, out=floats)`` where the name is bound anew: the dtype stays that of the tensor that was to be written, as in torch."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides, converted_script, equal_tensors

PROGRAM = """import torch

x = torch.empty(2)
torch.arange(5, out=x)
i = torch.zeros(3, dtype=torch.int64)
torch.ones(3, out=i)
found = torch.zeros(3)
torch.eq(torch.tensor([1, 2, 3]), 2, out=found)
wide = torch.zeros(3, dtype=torch.float64)
torch.mul(torch.ones(3), 2, out=wide)
moved = torch.zeros(3)
torch.add(torch.tensor([1, 2, 3]), 2, out=moved)
"""


@pytest.mark.frameworks
def test_the_written_tensor_keeps_its_dtype(tmp_path: Path) -> None:
    theirs, ours = both_sides(tmp_path, PROGRAM)
    equal_tensors(*([side.x, side.i, side.found, side.wide, side.moved] for side in (theirs, ours)))


def test_nothing_is_added_where_the_dtypes_agree(tmp_path: Path) -> None:
    text = "import torch\n\nx = torch.zeros(3)\ntorch.linspace(0, 1, 3, out=x)\ntorch.add(x, 1, out=x)\ny = torch.empty(0)\ntorch.cat([x, x], out=y)\nm = torch.zeros(3, dtype=torch.bool)\ntorch.eq(x, y[:3], out=m)\n"
    assert "astype" not in converted_script(tmp_path, text)
