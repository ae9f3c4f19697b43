"""A program whose default dtype is float64 computes in float64 throughout: to more digits than float32 has, over training, too."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.convert.both_sides import both_sides

pytestmark = pytest.mark.frameworks

PROGRAM = """import math

import torch
from torch import nn
from torch.distributions import Normal

torch.set_default_dtype(torch.double)


def kernel(a, b, scale):
    d = (a[:, None] - b[None]) / scale
    return torch.exp(-0.3 * d.pow(2).sum(-1))


class Process(nn.Module):
    def __init__(self, x, y):
        super().__init__()
        self.register_buffer("x", x)
        self.register_buffer("y", y)
        self.scale = nn.Parameter(torch.zeros(()))
        self.mean = nn.Sequential(nn.Linear(1, 5), nn.Tanh(), nn.Linear(5, 1))
        self.noise = nn.Parameter(torch.full((1,), -2.1))

    def forward(self):
        k = kernel(self.x, self.x, self.scale.exp()) + (self.noise.exp() + 1e-8) * torch.eye(len(self.y))
        factor = torch.linalg.cholesky(k)
        rest = (self.y - self.mean(self.x).squeeze(-1))[:, None]
        solved = torch.linalg.solve_triangular(factor, rest, upper=False)
        return 0.5 * solved.pow(2).sum() + factor.diagonal().log().sum() + 0.5 * len(self.y) * math.log(2 * math.pi)


def run():
    x = torch.linspace(0, 3, 9).unsqueeze(-1)
    model = Process(x, torch.sin(2 * x).squeeze() * 0.7)
    with torch.no_grad():
        for k, p in enumerate(model.parameters()):
            p.add_((torch.cos(torch.arange(p.numel()) + k) * 0.1).reshape(p.shape))
        for p in model.mean[0].parameters():
            p.copy_((torch.sin(torch.arange(p.numel())) * 0.3).reshape(p.shape))
        for p in model.mean[2].parameters():
            p.copy_((torch.sin(torch.arange(p.numel())) * 0.3).reshape(p.shape))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.03)
    losses = []
    for _ in range(12):
        optimizer.zero_grad()
        loss = model()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    n = torch.arange(4)
    values = [n / 3, n * 0.1, torch.sqrt(n), torch.where(n > 1, n, 0.7), torch.tensor([0.1, 1]), torch.full((2,), 0.3)]
    values += [Normal(0, 1.3).log_prob(torch.tensor(0.2)), torch.Tensor([0.1]), torch.where(n > 1, 0.1, 0.2)]
    return losses, [value.tolist() for value in values]
"""


@pytest.fixture
def torch_as_before() -> Iterator[None]:
    yield
    import torch

    torch.set_default_dtype(torch.float32)


def test_losses_and_values(tmp_path: Path, torch_as_before: None) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, PROGRAM)
    losses, values = torch_side.run()
    found, of_found = mindspore_side.run()
    np.testing.assert_allclose(found, losses, rtol=1e-11)
    for one, other in zip(values, of_found, strict=True):
        np.testing.assert_allclose(other, one, rtol=1e-13)
