"""``x.type()``: the name of torch's class, which programs compare and look into."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides

PROGRAM = """
import torch

x = torch.ones(2)
h = x.half()
kept = [
    x.type(), "Half" in h.type(), torch.arange(3).type(h.type()).type(), x.type() == "torch.FloatTensor", (x > 0).type(), x.double().type(torch.LongTensor).type(),
    torch.zeros(2, dtype=torch.complex64).type(),
]
"""


@pytest.mark.frameworks
def test_names_are_torchs(tmp_path: Path) -> None:
    expected, actual = both_sides(tmp_path, PROGRAM)
    assert actual.kept == expected.kept
