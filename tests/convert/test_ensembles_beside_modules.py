"""What may be a network or an object of the project's with methods of the same names is asked when the program runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import converted_script, printed_by_both

PROGRAM = """\
import torch
import torch.nn as nn


class Plain(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.fc = nn.Linear(n, n)

    def forward(self, x):
        return self.fc(x)


class Ensemble(object):
    def __init__(self, n):
        self.models = [Plain(n) for _ in range(3)]
        self.place = None

    def to(self, device):
        self.place = device
        return self

    def parameters(self):
        return [p for m in self.models for p in m.parameters()]


KINDS = {"": Plain, "ensemble": Ensemble}


def make(kind, n):
    return KINDS[kind](n)


class Agent:
    def __init__(self, kind):
        self.model = make(kind, 2).to("cpu")
        self.head = nn.Linear(2, 1)
        self.count = len(list(self.head.parameters()) + list(self.model.parameters()))


print([(a.count, getattr(a.model, "place", 1), getattr(a.model, "training", None)) for a in (Agent("ensemble"), Agent(""))])
"""


def test_known_modules_keep_their_form(tmp_path: Path) -> None:
    text = converted_script(tmp_path, PROGRAM)
    assert "list(ms_parameters(self.head)) + list(method(self.model, " in text and 'method(make(kind, 2), "to",' in text


@pytest.mark.frameworks
def test_both_sides_call_the_same(tmp_path: Path) -> None:
    before, after = printed_by_both(tmp_path, PROGRAM)
    assert before == after == "[(8, 'cpu', None), (4, 1, True)]\n"
