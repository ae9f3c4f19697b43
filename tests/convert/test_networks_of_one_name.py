"""Parameters of two networks that have the same names, in one compiled step: a penalty on the gradient of a critic beside its generator."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.convert.both_sides import both_sides

PROGRAM = """
import torch
from torch import nn


def net(inputs, outputs):
    made = nn.Sequential(nn.Linear(inputs, 4), nn.Tanh(), nn.Linear(4, outputs))
    for p in made.parameters():
        p.data.copy_(torch.cos(torch.arange(p.numel()) * 1.0).reshape(p.shape) * 0.3)
    return made


maker, critic = net(2, 3), net(3, 1)
makers = torch.optim.SGD(maker.parameters(), lr=0.1)
critics = torch.optim.SGD(critic.parameters(), lr=0.1)
losses = []
for step in range(2):
    noise = torch.sin(torch.arange(8.0) + step).reshape(4, 2)
    fake = maker(noise)
    between = fake.data.requires_grad_(True)
    slope = torch.autograd.grad(critic(between).sum(), between, create_graph=True)[0]
    loss = ((slope.norm(2, dim=1) - 1) ** 2).mean() + critic(fake).mean()
    critics.zero_grad()
    makers.zero_grad()
    loss.backward()
    critics.step()
    makers.step()
    losses.append(loss.item())
kept = [p.detach() for p in (*maker.parameters(), *critic.parameters())]
names = [*maker.state_dict(), *critic.state_dict(), *(name for name, _ in critic.named_parameters())]
"""


@pytest.mark.frameworks
def test_both_sides(tmp_path: Path) -> None:
    theirs, ours = both_sides(tmp_path, PROGRAM)
    np.testing.assert_allclose(ours.losses, theirs.losses, rtol=1e-5)
    for made, expected in zip(ours.kept, theirs.kept, strict=True):
        np.testing.assert_allclose(made.asnumpy(), expected.numpy(), rtol=1e-4, atol=1e-6)
    assert ours.names == theirs.names
