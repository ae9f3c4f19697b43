"""A list of what was drawn, filtered by what is None, has another length at every step; a list of gradients has not."""

from __future__ import annotations

import pytest

from tests.analysis.dynamic_shape.running import codes_in

_REPLAY = """
import random
from collections import deque, namedtuple

import torch
from torch import nn

Step = namedtuple("Step", ("state", "next_state"))


class Memory:
    def __init__(self):
        self.steps = deque([], maxlen=1000)

    def draw(self, count):
        return random.sample(self.steps, count)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = nn.Linear(4, 2)

    def forward(self, x):
        return self.one(x)


net, memory = Net(), Memory()


def learn(count: int = 8):
    drawn = memory.draw(count)
    {filtered}
    return net(torch.cat(states)).sum()
"""
_GRADIENTS = """
import torch
from torch import nn

net = nn.Linear(4, 2)


def flat():
    return torch.cat([p.grad.reshape(-1) for p in net.parameters() if p.grad is not None])


def again(loss):
    found = torch.autograd.grad(loss, list(net.parameters()), allow_unused=True)
    return torch.cat([g.reshape(-1) for g in found if g is not None])
"""


@pytest.mark.parametrize(
    "filtered",
    [
        "batch = Step(*zip(*drawn))\n    states = [s for s in batch.next_state if s is not None]",
        "states = [step.next_state for step in drawn if step.next_state is not None]",
    ],
)
def test_the_length_follows_the_draw(filtered: str) -> None:
    assert codes_in(_REPLAY.replace("{filtered}", filtered)) == {"MP204"}


@pytest.mark.parametrize("filtered", ["states = [step.state for step in drawn]", "batch = Step(*zip(*drawn))\n    states = batch.state"])
def test_a_draw_of_one_size_is_fixed(filtered: str) -> None:
    assert codes_in(_REPLAY.replace("{filtered}", filtered)) == set()


def test_which_parameters_have_gradients_is_fixed() -> None:
    assert codes_in(_GRADIENTS) == set()
