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
