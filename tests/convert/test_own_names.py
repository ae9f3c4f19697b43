"""Fields of named tuples and operators of the project's own classes, which torch's tensors have the names of."""

from __future__ import annotations

from pathlib import Path

import pytest

pytestmark = pytest.mark.frameworks
pytest.importorskip("torch", reason="this file compares the frameworks")
pytest.importorskip("mindspore", reason="this file compares the frameworks")

from tests.convert.both_sides import printed_by_both  # noqa: E402

FIELDS = """
from collections import namedtuple
from typing import NamedTuple

import numpy as np
import torch

Step = namedtuple("Step", "obs t neg")


class Events(NamedTuple):
    src: torch.Tensor
    t: torch.Tensor
    neg: torch.Tensor

    def batches(self, size):
        for i in range(0, len(self.src), size):
            yield Events._make(v[i:i + size] for v in self)


def last(ev):
    return torch.stack([torch.relu(ev.t[-1:]), ev.neg[-1:]])


data = Events(*map(torch.from_numpy, (np.arange(6), np.arange(6) * 2, np.arange(6) - 3)))
for k, ev in enumerate(data.batches(3)):
    print(k, ev.t.repeat(2).tolist(), ev.neg.tolist(), last(ev).tolist())
one = data._replace(t=data.t * 2)
print(one.t.tolist(), last(one).tolist(), last(Step(obs=1, t=one.t, neg=one.neg)).tolist())
"""

OPERATORS = """
from collections import OrderedDict

import torch


class State(OrderedDict):
    def __sub__(self, other):
        return State((k, v - other[k]) for k, v in self.items())

    def __neg__(self):
        return State((k, -v) for k, v in self.items())

    def norm(self):
        return sum(v.norm() for v in self.values()).item()

    def total(self):
        return sum(v.sum() for v in self.values()).item()


torch.save([State(w=torch.ones(2, 2), b=torch.zeros(2)), State(w=torch.full((2, 2), 3.0), b=torch.ones(2))], "states.pt")
states = torch.load("states.pt", weights_only=False)
print(round((states[0] - states[1]).norm(), 4), (-states[1]).total(), type(states[0]).__name__)
"""


@pytest.mark.parametrize("program", [FIELDS, OPERATORS])
def test_names_are_the_projects(tmp_path: Path, program: str) -> None:
    theirs, ours = printed_by_both(tmp_path, program)
    assert ours == theirs
