"""Gradients of gradients that torch.autograd.grad itself takes are compiled, in a step or outside of one: where operators run one by one, MindSpore loses terms of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.convert.both_sides import both_sides, seen_by_graphs

pytestmark = pytest.mark.frameworks

PROGRAM = """import torch


def energy(w, x):
    return torch.logsumexp(torch.matmul(x, w), 1).sum() + (w.sum(0) ** 2).sum() + (w[0] ** 3).sum() * w[1, 0]


def times_hessian(w, x, vector, damping):
    w = w.detach().requires_grad_(True)
    slope = torch.autograd.grad(energy(w, x), w, create_graph=True)[0]
    product = torch.autograd.grad((slope * vector).sum(), w)[0]
    return product + damping * vector


def curvature(w, x):
    w, x = torch.tensor(w), torch.tensor(x)
    vector, found = torch.ones(3, 2), []
    for turn in range(3):
        product = times_hessian(w, x, vector, 0.1 * turn)
        found.append((vector * product).sum())
        vector = product / product.norm()
    return found + [vector]


class Field(torch.nn.Module):
    def __init__(self, w):
        super().__init__()
        self.w = torch.nn.Parameter(torch.tensor(w))

    def forward(self, x):
        return torch.tanh(torch.matmul(x, self.w)).sum(1) * torch.sin(x).sum(1)


def residual(field, x):
    x = x.detach().requires_grad_(True)
    value = field(x)
    slope = torch.autograd.grad(value.sum(), x, create_graph=True)[0]
    bend = torch.autograd.grad((slope * torch.cos(x)).sum(), x, create_graph=True)[0]
    return bend


def trained(w, x):
    field, x = Field(w), torch.tensor(x)
    optimizer = torch.optim.SGD(field.parameters(), lr=0.0001)
    found = [residual(field, x).detach()]
    for turn in range(2):
        optimizer.zero_grad()
        points = x * (1 + 0.1 * turn)
        loss = residual(field, points).square().mean()
        loss.backward()
        optimizer.step()
        found.append(loss.detach())
        found.append(residual(field, x * 0.5).detach())
    return found + [field.w.detach()]


def at_fixed_points(w, x):
    field, points = Field(w), torch.tensor(x)
    optimizer = torch.optim.SGD(field.parameters(), lr=0.0001)
    found = []
    for _ in range(2):
        optimizer.zero_grad()
        loss = residual(field, points).square().mean()
        loss.backward()
        optimizer.step()
        found.append(loss.detach())
    return found + [field.w.detach()]
"""


@pytest.mark.parametrize("name", ["curvature", "trained", "at_fixed_points"])
def test_both_sides_agree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, PROGRAM)
    seen_by_graphs(mindspore_side, monkeypatch)
    generator = np.random.default_rng(0)
    w, x = (generator.standard_normal(shape).astype(np.float32) for shape in ((3, 2), (4, 3)))
    for one, other in zip(getattr(torch_side, name)(w, x), getattr(mindspore_side, name)(w, x), strict=True):
        np.testing.assert_allclose(other.asnumpy(), one.numpy(), rtol=1e-3, atol=1e-4)
