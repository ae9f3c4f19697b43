"""A class whose base only a function knows (``class Counted(kind)``): its `forward` is called, and what it may have of a module is asked when the program runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import converted_script, printed_by_both

PROGRAM = """\
import torch
import torch.nn as nn


def count(model):
    total = 0
    for name, p in model.named_parameters():
        total += p.numel()
    return total


def counted(kind):
    class Counted(kind):
        def __init__(self, *arguments):
            super().__init__(*arguments)
            self.total = count(self)

        def forward(self, x):
            self.seen = x.size(0)
            return super().forward(x)

        def describe(self):
            return len(list(self.parameters())), self.total

    return Counted


def logged(kind):
    class Logged(kind):
        def forward(self, x):
            return x

    return Logged


class Plain(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.fc = nn.Linear(n, n)

    def forward(self, x):
        return self.fc(x)


class Some:
    pass


net = counted(globals()["Plain"])(3)
print(net.describe(), tuple(net(torch.ones(2, 3)).shape), net.seen, logged(globals()["Some"])().forward(4))
"""


def test_only_what_hands_its_forward_up_is_a_module(tmp_path: Path) -> None:
    text = converted_script(tmp_path, PROGRAM)
    assert "return super().construct(x)" in text and "    def forward(self, x):\n            return x" in text


@pytest.mark.frameworks
def test_both_sides_count_alike(tmp_path: Path) -> None:
    before, after = printed_by_both(tmp_path, PROGRAM)
    assert before == after == "(2, 12) (2, 3) 2 4\n"
