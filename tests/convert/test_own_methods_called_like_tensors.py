"""``state.detach()`` and ``meter.add_(3)`` of something unknown, where a class of the project's has such a method: what it is decides when the program runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import printed_by_both

PROGRAM = """
import pickle
from typing import NamedTuple

import torch


class State(NamedTuple):
    snow: torch.Tensor
    soil: torch.Tensor

    def detach(self):
        return State(*(t.detach() for t in self))


class Meter:
    total = 0

    def add_(self, v):
        self.total += 2 * v
        return self


def later(out):
    hidden, state, stored = out.state
    return tuple(h.detach() for h in hidden), state.detach(), stored.detach()


def count(meters, key, v):
    meters[key].add_(v)
    return meters[key]


out = pickle.loads(pickle.dumps(0)) or type("Out", (), {})()
out.state = ([torch.ones(2)], State(torch.ones(2), torch.zeros(2)), torch.ones(1))
hidden, state, stored = later(out)
print([h.tolist() for h in hidden], state.snow.tolist(), state.soil.tolist(), stored.tolist())
meters = dict(pickle.loads(pickle.dumps([])))
meters["a"], meters["t"] = Meter(), torch.zeros(2)
print(count(meters, "a", 3).total, count(meters, "t", 3).tolist(), meters["t"].tolist())
"""


@pytest.mark.frameworks
def test_what_it_is_decides(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    assert theirs == ours


GIVEN = """
import torch

from net import build


def go(model, x):
    state = None
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for row in x:
        state = model(row, state)
        loss = state.h.pow(2).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
        state = state.detach()
        print("%.4f" % loss.item(), state.n, "%.3f" % state.norm())


go(build("cell"), torch.arange(6.0).view(3, 2))
# ==== net.py
import dataclasses

import torch
from torch import nn

CELLS = {}


@dataclasses.dataclass
class Out:
    h: torch.Tensor
    n: int = 0

    def detach(self):
        return Out(self.h.detach(), self.n + 1)

    def norm(self):
        return float(self.h.norm()) + 100


class Cell(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.ones(2))

    def forward(self, x, state=None):
        return Out(x * self.w + (0 if state is None else state.h), 0 if state is None else state.n)


CELLS["cell"] = Cell


def build(name):
    return CELLS[name]()
"""


@pytest.mark.frameworks
def test_what_a_module_gives_is_no_tensor_where_it_has_what_tensors_lack(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, GIVEN)
    assert theirs == ours
