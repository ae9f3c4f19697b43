"""What Python's functions, lambdas, generators and containers give back is still the tensor that was handed to them."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover
from tests.convert.both_sides import both_sides, equal_tensors

GIVEN_BACK = """
import copy
import itertools

import torch

pick = lambda rows, at=1: rows[at]
weights = torch.zeros(3, 4)
chosen = pick(weights)
chosen += 2
(lambda rows: rows[0])(weights).sub_(1)

ordered = [torch.tensor([5.0]), torch.tensor([2.0])]
for number, one in enumerate(sorted(ordered, key=lambda t: t.item())):
    one += 10 * (number + 1)
for one in reversed(ordered):
    one *= 2
left, right = [torch.ones(2)], [torch.zeros(2)]
for one in left + right:
    one += 4
for one in itertools.chain(left, right):
    one -= 1
left += [right[0]]
for one in left:
    one *= 3
shallow = copy.copy(left)
shallow[0] += 7

table = {"scale": torch.ones(2), "shift": torch.zeros(2)}
scale = table.get("scale")
scale += 1
shift = table.pop("shift")
shift += 5
table.setdefault("scale", shift).mul_(2)
by_place = {place: row for place, row in enumerate(weights)}
rows = list(weights)


def halves(tensors):
    for tensor in tensors:
        yield tensor[:2]
        yield tensor[2:]


base = torch.zeros(4)
for number, half in enumerate(halves([base])):
    half += number + 1


def rows_of_base():
    yield base[0:1]
    yield base[3:]


first, last = rows_of_base()
last -= 9


class Holder:
    pass


holder = Holder()
holder.state = torch.zeros(2)
state = getattr(holder, "state")
state += 6
kept = [weights, chosen, *ordered, *left, *right, *shallow, table["scale"], scale, shift, base, first, last, holder.state, state]
"""
SEVERAL_CHANGES = """
import torch

grid = torch.arange(6.0).view(2, 3)
turned = grid.t()
turned += 1
grid[1] = 0
first = grid[0]
first.mul_(2)
parts = [grid[:, i : i + 1] for i in range(3)]
parts[1].add_(30)
pair = tuple(grid[i] for i in range(2))
pair[0].sub_(1)
kept = [grid, turned, first, *parts, *pair]
"""
NUMBERS = """
import torch


def bounds(low, high, sizes):
    top = max(low, high)
    top += 1
    least = min(low, high)
    least -= 1
    widest = max(sizes)
    widest += 1
    count = next(iter(sizes))
    return top, least, widest, count
"""


@pytest.mark.frameworks
@pytest.mark.parametrize("program", [GIVEN_BACK, SEVERAL_CHANGES])
def test_both_sides(tmp_path: Path, program: str) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, program)
    equal_tensors(torch_side.kept, mindspore_side.kept)


def test_numbers_are_no_tensors(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(NUMBERS)
    assert not [finding for finding in convert(discover(tmp_path)).findings if finding.code == "MP109"]
