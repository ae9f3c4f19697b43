"""Functions that `functools.singledispatch` chooses by a layer's class: ``cost.register(nn.Conv2d)`` means the layer whichever class it was written as."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import converted_script, printed_by_both

PROGRAM = """\
import functools
from functools import singledispatchmethod
import torch
from torch import nn


@functools.singledispatch
def cost(m):
    return "?"


@cost.register(nn.Linear)
@cost.register(nn.Embedding)
def _(m):
    return "table"


@cost.register
def _(m: nn.Conv2d):
    return "conv"


cost.register(nn.ReLU, lambda m: "relu")


class Counter:
    @singledispatchmethod
    def count(self, m):
        return 0

    @count.register(nn.LayerNorm)
    def _(self, m):
        return 1


layers = nn.Linear(2, 3), nn.Conv2d(1, 1, 1), nn.Embedding(2, 2), nn.ReLU(), nn.LayerNorm(2), torch.ones(1)
print([cost(m) for m in layers], [Counter().count(m) for m in layers], cost.dispatch(nn.Linear)(None))
"""
KEPT = """\
from torch import nn


def make(table):
    return table.register(nn.Linear)
"""


def test_classes_are_mindspores_own(tmp_path: Path) -> None:
    text = converted_script(tmp_path, PROGRAM)
    assert "@cost.register(nn.Dense)\n@cost.register(nn.Embedding)\n" in text and "@count.register(nn.LayerNorm)" in text


def test_other_registries_get_what_makes_the_layer(tmp_path: Path) -> None:
    assert "table.register(Linear)" in converted_script(tmp_path, KEPT)


@pytest.mark.frameworks
def test_both_sides_choose_alike(tmp_path: Path) -> None:
    before, after = printed_by_both(tmp_path, PROGRAM)
    assert before == after == "['table', 'conv', 'table', 'relu', '?', '?'] [0, 0, 0, 0, 1, 0] table\n"
