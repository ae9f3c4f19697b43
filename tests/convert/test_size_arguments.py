"""Sizes and data that constructors named after a dtype are given."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides, equal_tensors

PROGRAM = """
import torch

x = torch.ones(2, 3)


def like(t):
    return t.new(t.size()).fill_(1), t.data.new(3).fill_(0.5)


def written_out(t: torch.Tensor, others):
    return [t.new(*t.shape).zero_(), t.data.new(*t.size()).zero_(), *(o.new(*o.shape).zero_() for o in others), torch.FloatTensor(*t.size()).zero_()]


class Target:
    def __init__(self, tensor=torch.FloatTensor):
        self.Tensor = tensor

    def __call__(self, t, value):
        if isinstance(t, list):
            return self(t[-1], value)
        return self.Tensor(t.size()).fill_(value)


targets = [Target()(x, 2), Target(torch.LongTensor if len(x) > 5 else torch.Tensor)([x, x[:1]], 3)]
made = [*targets, torch.FloatTensor(x.shape).fill_(2), x.new(x.size()).zero_(), x.new(2, 4).zero_(), x.long().new([1, 2]), torch.LongTensor(x.size(0), 2).zero_(),
        torch.FloatTensor((2, 3)), torch.Tensor(x[0].shape).zero_(), *like(x), *written_out(x, [x[:1]])]
"""
CLASSES = """
import torch

x = torch.ones(2, 3)


def by_class(t: torch.Tensor, other):
    return [type(t)(*t.shape).zero_(), type(other.data)(*t.size()).zero_(), type(other)(2, 3).zero_()]


made = by_class(x, x)
"""


@pytest.mark.frameworks
@pytest.mark.parametrize("program", [PROGRAM, CLASSES])
def test_sizes_are_sizes(tmp_path: Path, program: str) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, program)
    equal_tensors(torch_side.made, mindspore_side.made)
