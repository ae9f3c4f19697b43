"""Names of torch's functions, and classes that nothing is an instance of."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides

PROGRAM = """
import torch
import torch.nn.functional as F
from typing import Union


def size(x: Union[int, torch.SymInt]) -> int:
    return x if isinstance(x, (int, torch.SymInt)) else 0


names = [torch.relu.__name__, F.gelu.__name__, isinstance(3, torch.SymInt), size(4), size("a")]
"""


@pytest.mark.frameworks
def test_the_names(tmp_path: Path) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, PROGRAM)
    assert torch_side.names == mindspore_side.names
