"""Sizes of drawn tensors in lists: MindSpore's randint wants a tuple."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides

PROGRAM = """import torch

n = 3
sizes = [2, n]


def draw(shape):
    return torch.randint(1, 9, shape)


drawn = [
    torch.randint(0, 4, [1]), torch.randint(4, sizes), torch.randint(high=2, size=[n]), torch.randint(5, (n,), dtype=torch.int32),
    draw([4]), draw((4, 1)), draw(torch.ones(2, 5).shape), torch.randint(0, 3, [n] + [2]),
]
shapes = [tuple(x.shape) for x in drawn]
kinds = [str(x.dtype).lower().replace("torch.", "") for x in drawn]
"""


@pytest.mark.frameworks
def test_sizes_in_lists(tmp_path: Path) -> None:
    theirs, ours = both_sides(tmp_path, PROGRAM)
    assert (ours.shapes, ours.kinds) == (theirs.shapes, theirs.kinds)
