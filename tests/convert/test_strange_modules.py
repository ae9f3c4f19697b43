"""A loss of a module that the optimizer does not hold: its gradients were missing, and what hands them on found None, silently."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.convert.both_sides import both_sides, equal_tensors, printed_by_both

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


PENALTY = """
import torch
from torch import nn

w = torch.tensor([0.5, -0.25], requires_grad=True)
opt = torch.optim.SGD([w], lr=0.125)
critic = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1))
for i, p in enumerate(critic.parameters()):
    p.data = torch.linspace(-1, 1, p.numel()).view(p.shape) * (0.5 + 0.25 * i)


def penalty(critic, real, fake, eps):
    mixed = (eps * real + (1 - eps) * fake).requires_grad_(True)
    out = critic(mixed)
    g = torch.autograd.grad(outputs=out, inputs=mixed, grad_outputs=torch.ones_like(out), create_graph=True, retain_graph=True)[0]
    return ((g.view(g.size(0), -1).norm(2, dim=1) - 1) ** 2).mean()


x = torch.tensor([[1.0, 2.0], [0.5, -1.0]])
loss = penalty(critic, x, x.flip(0), torch.tensor([[0.3], [0.8]]))
loss.backward()
print(loss.item(), *critic[0].weight.grad.flatten().tolist())
"""


@pytest.mark.frameworks
def test_a_penalty_of_what_the_only_optimizer_does_not_hold(tmp_path: Path) -> None:
    """The step is compiled, as gradients are taken of gradients: there, too."""
    theirs, ours = printed_by_both(tmp_path, PENALTY)
    np.testing.assert_allclose([float(n) for n in ours.split()], [float(n) for n in theirs.split()], rtol=1e-4, atol=1e-5)
