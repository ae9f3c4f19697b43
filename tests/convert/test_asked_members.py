"""What is unknown is asked for a method that MindSpore's cells and tensors lack: they count as having it, as torch's do."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import printed_by_both

_PROGRAM = """import torch
from torch import nn


def count(things):
    total = 0
    for thing in things:
        if hasattr(thing, "parameters"):
            total += sum(p.numel() for p in thing.parameters())
    return total


def said(thing):
    return [hasattr(thing, "eval"), not hasattr(thing, "detach"), hasattr(thing, "cpu") and 1, hasattr(thing, "shape"), hasattr(thing, "nothing")]


class Plain:
    def eval(self):
        pass


things = {"net": nn.Linear(2, 3), "tensor": torch.ones(2), "list": [1], "own": Plain()}
print(count(things.values()), [said(things[name]) for name in sorted(things)])
"""


@pytest.mark.frameworks
def test_cells_and_tensors_have_what_torchs_have(tmp_path: Path) -> None:
    expected, actual = printed_by_both(tmp_path, _PROGRAM)
    assert actual == expected
