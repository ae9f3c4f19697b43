"""A constructor that asks whether its module is trained."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides, converted_script

PROGRAM = """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.fc = nn.Linear(size, size)
        if not self.training:
            self.fc.weight.requires_grad = False
        self.setup()

    def setup(self):
        self.was = self.training


class Outer(Net):
    def __init__(self):
        super(Outer, self).__init__(2)
        self.mode = "train" if self.training else "eval"


net = Outer()
kept = [net.mode, net.was, [p.requires_grad for p in net.parameters()], net.fc.training, net.eval().training]
"""


@pytest.mark.frameworks
def test_it_is(tmp_path: Path) -> None:
    expected, actual = both_sides(tmp_path, PROGRAM)
    assert actual.kept == expected.kept == ["train", True, [True, True], True, False]


def test_constructors_that_do_not_ask_stay(tmp_path: Path) -> None:
    text = "from torch import nn\n\n\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.a = 1\n\n    def forward(self, x):\n        return x if self.training else -x\n"
    assert "set_train" not in converted_script(tmp_path, text)
