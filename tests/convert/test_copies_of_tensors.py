"""What is a copy in torch has memory of its own: `ms.tensor` of a tensor shares its memory, and so does a diagonal."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides, equal_tensors

PROGRAM = """
import torch


def kept_of(t, make):
    copied = make(t)
    t.fill_(9.0)
    return copied.detach()


def fresh():
    return torch.arange(6.0).reshape(2, 3) * 1


x = fresh()
known = torch.tensor(x)
other = torch.tensor(x, dtype=torch.float32)
same = x.new_tensor(x)
corner = torch.diag(x)
x[0, 0] = 5
x[1, 1] = 7
makers = [
    lambda t: torch.tensor(t), lambda t: torch.tensor(t, dtype=torch.float64), lambda t: t.new_tensor(t), lambda t: torch.diag(t),
    lambda t: t.clone(), lambda t: torch.cat([t]), lambda t: t.contiguous().clone(), lambda t: t.index_select(0, torch.arange(2)),
]
kept = [known, other, same, corner, *(kept_of(fresh(), make) for make in makers)]
"""


@pytest.mark.frameworks
def test_later_changes_do_not_reach_them(tmp_path: Path) -> None:
    theirs, ours = both_sides(tmp_path, PROGRAM)
    equal_tensors(theirs.kept, ours.kept)
