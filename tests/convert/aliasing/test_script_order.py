"""A view that a script makes again after a change is written as it was converted, wherever the change stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides

pytestmark = pytest.mark.frameworks

PROGRAM = """import torch

x = torch.arange(10.)
windows = x.as_strided((4, 3), (2, 1))
x[2] = 50
after = windows[0, 2]
"""


def test_a_short_change_at_the_top_of_a_script(tmp_path: Path) -> None:
    """The change is shorter than the statement that made the view: its work must wait all the same."""
    torch_side, mindspore_side = both_sides(tmp_path, PROGRAM)
    assert mindspore_side.windows.asnumpy().tolist() == torch_side.windows.tolist()
    assert float(mindspore_side.after) == 50
