"""What is taken out of something unknown is a view where that is a tensor, and stays what it was where it is a list or mapping."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import printed_by_both

PROGRAM = """
import json
import torch
from torch import nn


def swapped(xs, i, j):
    held = xs[i]
    xs[i] = xs[j]
    xs[j] = held
    return xs


def replaced(table, key, value):
    old = table[key]
    table[key] = value
    return old, table


def lessened(sizes, i):
    size = sizes[i]
    size -= 1
    return size, sizes


def part(xs):
    rest = xs[1:]
    rest[0] = 9
    return rest, xs


class Net(nn.Module):
    def __init__(self, dims):
        super().__init__()
        for i in range(len(dims) - 1):
            wide = dims[i + 1]
            wide -= 2
            setattr(self, f"layer{i}", nn.Linear(dims[i], wide))


print(swapped(json.loads("[3, 4, 6]"), 0, 2), replaced(json.loads('{"a": 1}'), "a", 2), lessened(json.loads("[3, 4]"), 1), part(json.loads("[3, 4, 6]")))
print([tuple(p.shape) for p in Net(**json.loads('{"dims": [3, 6, 5]}')).parameters()])
for one in (swapped(torch.tensor([3, 4, 6]), 0, 2), *replaced(torch.tensor([1, 2]), 0, 5), *lessened(torch.tensor([3, 4]), 1), *part(torch.tensor([3, 4, 6]))):
    print(one.tolist())
"""


@pytest.mark.frameworks
def test_items_of_unknown_containers_are_no_views(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    assert theirs and ours == theirs
