"""``torch.cat(parts, out=held)``: an `out` without elements takes the size of the result, and None is no `out`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides, equal_tensors

PROGRAM = """import torch


class Held:
    pass


def more(x, out=None):
    return torch.add(x, 1.0, out=out)


held = Held()
held.buffer = torch.ones(2).new()
alias = held.buffer
torch.arange(1, 6, out=held.buffer)
kept = {"a": torch.empty(0)}
x = torch.ones(2, 3)
torch.cat([x, x], out=kept["a"])
wide, given = torch.zeros(2, 3), torch.zeros(4, 3)
torch.mul(x, 2, out=given[1:3])
found = [alias, kept["a"], torch.mean(x, dim=-1, out=None), more(x), more(x, wide), wide, given]
alias.share_memory_()
state = {"step": torch.zeros(1)}
state["step"].share_memory_()
"""


@pytest.mark.frameworks
def test_both_sides(tmp_path: Path) -> None:
    theirs, ours = both_sides(tmp_path, PROGRAM)
    equal_tensors(theirs.found, ours.found)
