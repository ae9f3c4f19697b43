"""What modules say of themselves when they are printed: MindSpore asks for it by another name."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import converted_script, printed_by_both

PROGRAM = """
from torch import nn


class Scale(nn.Module):
    def __init__(self, k):
        super().__init__()
        self.k, self.dim = k, -1

    def forward(self, x):
        return x * self.k

    def extra_repr(self):
        return "k={k}, dim={dim}".format(**self.__dict__)


class Two(Scale):
    def extra_repr(self):
        return super().extra_repr() + ", two"


class Says:
    def extra_repr(self) -> str:
        return f"says={self.k}"


class Mixed(Says, Scale):
    pass


class Plain:
    def extra_repr(self):
        return "plain"


class Conv(nn.Conv2d):
    def extra_repr(self):
        return f"to={self.out_channels}"


print(Scale(2), Two(3), Mixed(4), Conv(1, 2, 3), nn.ModuleList([Two(5)])[0])
print(Two(2).extra_repr(), [m.extra_repr() for m in (Scale(1), Two(5))], Plain().extra_repr())
"""
LAYER = """
from torch import nn


class Lin(nn.Linear):
    def extra_repr(self):
        return "in={in_features}".format(**self.__dict__)
"""


@pytest.mark.frameworks
def test_what_is_printed(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    assert ours == theirs and "Two(k=3, dim=-1, two) Mixed(says=4)" in ours


def test_what_hangs_on_the_attributes_of_a_layer_keeps_its_name(tmp_path: Path) -> None:
    assert "def extra_repr(self)" in converted_script(tmp_path, LAYER)
