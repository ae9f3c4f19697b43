"""Optimizers that call a closure several times write parameters while the tape records."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.convert.both_sides import both_sides

pytestmark = pytest.mark.frameworks
PROGRAM = """
import torch

rate = torch.nn.Parameter(torch.tensor([0.4, 1.5]))
start = torch.tensor([1.0, -2.0])
measured = torch.tensor([[1.0, -2.0], [0.7, -2.4], [0.5, -2.9]])
solver = torch.optim.LBFGS([rate], lr=0.3, max_iter=4, line_search_fn="strong_wolfe")


def decayed():
    path = torch.zeros(3, 2)
    path[0] = start
    at = start
    for step in range(1, 3):
        at = at * rate
        path[step] = at
    return path


def evaluate():
    solver.zero_grad()
    error = (decayed() - measured).abs().pow(1.5).sum()
    error.backward()
    return error


errors = [solver.step(evaluate).item() for _ in range(3)]
"""


def test_lbfgs(tmp_path: Path) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, PROGRAM)
    assert "backward(" in (tmp_path / "after" / "program.py").read_text()
    np.testing.assert_allclose(mindspore_side.errors, torch_side.errors, rtol=1e-4)
    np.testing.assert_allclose(mindspore_side.rate.asnumpy(), torch_side.rate.detach().numpy(), rtol=1e-4)


AVERAGED = """
import torch
from torch.optim.swa_utils import AveragedModel

net = torch.nn.Linear(3, 2)
with torch.no_grad():
    for p in net.parameters():
        p.copy_(torch.linspace(-0.8, 0.7, p.numel()).view_as(p))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
mean, moving = AveragedModel(net), AveragedModel(net, avg_fn=lambda a, b, n: 0.5 * a + 0.5 * b)
for i in range(3):
    opt.zero_grad()
    net(torch.ones(1, 3) * i).pow(2).sum().backward(); opt.step()
    mean.update_parameters(net); moving.update_parameters(net)
found = [mean(torch.ones(1, 3)).tolist()[0], moving(torch.ones(1, 3)).tolist()[0]]
"""


def test_averages_of_parameters_are_written_beside_the_tape(tmp_path: Path) -> None:
    theirs, ours = both_sides(tmp_path, AVERAGED)
    np.testing.assert_allclose(ours.found, theirs.found, rtol=1e-5)


POINTS = """
import torch
import torch.nn as nn

net = nn.Sequential(nn.Linear(2, 5), nn.Tanh(), nn.Linear(5, 1))
with torch.no_grad():
    for p in net.parameters():
        p.copy_(torch.linspace(-0.8, 0.7, p.numel()).view_as(p))
points = torch.linspace(0.0, 1.4, 12).view(6, 2).requires_grad_()
x, t = points[:, 0:1], points[:, 1:2]
solver = torch.optim.LBFGS(net.parameters(), max_iter=3, line_search_fn="strong_wolfe")


def closure():
    u = net(torch.cat([x, t], 1))
    u_x = torch.autograd.grad(u, x, grad_outputs=torch.ones_like(u), retain_graph=True, create_graph=True)[0]
    u_t = torch.autograd.grad(u, t, grad_outputs=torch.ones_like(u), retain_graph=True, create_graph=True)[0]
    loss = ((u_t + u * u_x) ** 2).mean() + (u[:3] - torch.sin(x[:3])).pow(2).mean()
    solver.zero_grad()
    loss.backward()
    return loss


def trained(times):
    found = []
    places = torch.linspace(0, 1, 4).view(-1, 1).requires_grad_()
    for time in times:
        at = torch.full_like(places, time).requires_grad_()

        def step():
            solver.zero_grad()
            u = net(torch.cat([places, at], 1))
            slope = torch.autograd.grad(u.sum(), places, create_graph=True)[0]
            loss = slope.pow(2).mean() + (u * at).mean()
            loss.backward()
            return loss

        found += [solver.step(step).item(), at.grad.sum().item()]
    return found


losses = [solver.step(closure).item() for _ in range(2)]
gradient = points.grad.abs().sum().item()
solver = torch.optim.LBFGS(net.parameters(), lr=0.1, max_iter=2)
later = trained([0.1, 0.6])
"""


def test_derivatives_beside_other_inputs(tmp_path: Path) -> None:
    """``t`` beside ``x``, both views of points that want their gradient: handed in, and gone back through in every step."""
    torch_side, mindspore_side = both_sides(tmp_path, POINTS)
    text = (tmp_path / "after" / "program.py").read_text()
    assert "derivative_on_tape(u_of_x)(x, t)" in text and "derivative_on_tape(u_of_t)(t, x)" in text and "(places, at)" in text
    np.testing.assert_allclose(mindspore_side.losses, torch_side.losses, rtol=1e-4)
    np.testing.assert_allclose(mindspore_side.gradient, torch_side.gradient, rtol=1e-3)
    np.testing.assert_allclose(mindspore_side.later, torch_side.later, rtol=1e-3)
