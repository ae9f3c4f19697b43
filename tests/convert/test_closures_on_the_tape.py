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
