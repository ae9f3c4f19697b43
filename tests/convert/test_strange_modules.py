"""A loss of a module that the optimizer does not hold: its gradients were missing, and what hands them on found None, silently."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides, equal_tensors

PROGRAM = """
import torch
from torch import nn

def hand_over(model, shared):
    for mine, theirs in zip(model.parameters(), shared.parameters()):
        theirs.grad = mine.grad.clone() if mine.grad is not None else None

def work(model, shared, optimizer, x):
    model.load_state_dict(shared.state_dict())
    loss = model(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    hand_over(model, shared)
    optimizer.step()
    model.zero_grad()
    return loss.item()

class Agent:
    def __init__(self, shared, optimizer):
        self.shared, self.optimizer, self.local = shared, optimizer, nn.Linear(2, 1)

    def work(self, x):
        self.local.load_state_dict(self.shared.state_dict())
        loss = self.local(x).pow(2).mean()
        self.optimizer.zero_grad()
        loss.backward()
        hand_over(self.local, self.shared)
        self.optimizer.step()
        self.local.zero_grad()

shared = nn.Linear(2, 1)
with torch.no_grad():
    shared.weight.fill_(0.5)
    shared.bias.fill_(0.25)
optimizer = torch.optim.SGD(shared.parameters(), lr=0.125)
workers = [nn.Linear(2, 1), nn.Linear(2, 1)]
agents = [Agent(shared, optimizer)]
kept = []
for turn in range(2):
    for worker in workers:
        work(worker, shared, optimizer, torch.ones(4, 2) * (turn + 1))
        kept.append(shared.weight.detach().clone())
    for agent in agents:
        agent.work(torch.ones(4, 2))
        kept.append(shared.weight.detach().clone())
"""


@pytest.mark.frameworks
def test_gradients_are_handed_to_a_shared_network(tmp_path: Path) -> None:
    expected, actual = both_sides(tmp_path, PROGRAM)
    equal_tensors(expected.kept, actual.kept)
