"""``thing.load_state_dict(kept[key])`` in a loop over a network, an optimizer and an object of the project's own: who is a module is asked when the program runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides

PROGRAM = """
import torch
from torch import nn


class Sampler:
    def __init__(self):
        self.n = 0

    def state_dict(self):
        return {"n": self.n}

    def load_state_dict(self, state):
        self.n = state["n"]


def run():
    net, other, sampler = nn.Embedding(3, 2), nn.Embedding(3, 2), Sampler()
    optimizer = torch.optim.SGD(other.parameters(), 0.1)
    kept = {"net": net.state_dict(), "optimizer": optimizer.state_dict(), "sampler": {"n": 4}}
    parts = ((other, "net"), (optimizer, "optimizer"), (sampler, "sampler"))
    for thing, key in parts:
        thing.load_state_dict(kept[key])
    same = float((net.weight - other.weight).detach().abs().sum())
    return same, sampler.n, {key: sorted(thing.state_dict()) for thing, key in ((other, "net"), (sampler, "sampler"))}
"""


@pytest.mark.frameworks
def test_states_have_torchs_names(tmp_path: Path) -> None:
    theirs, ours = both_sides(tmp_path, PROGRAM)
    assert ours.run() == theirs.run() == (0.0, 4, {"net": ["weight"], "sampler": ["n"]})
