"""A step's function that runs within another's (one prediction for two backward passes) and indexes by whole numbers: MindSpore refuses them there."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.convert.both_sides import both_sides

pytestmark = pytest.mark.frameworks
PROGRAM = """
import torch
from torch import nn


def filled(module, shift):
    with torch.no_grad():
        for k, p in enumerate(module.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel()).float() + shift + k).reshape(p.shape))
    return module


maker, judge = filled(nn.Linear(2, 3), 0), filled(nn.Linear(3, 1), 5)
makers, judges = torch.optim.SGD(maker.parameters(), lr=0.1), torch.optim.SGD(judge.parameters(), lr=0.1)
noise = torch.linspace(-1, 1, 10).reshape(5, 2)
seen = []


def history(batch):
    for row in batch:
        seen.append(row)
    return torch.stack([seen[0], *batch[1:3], batch[-1]])


for _ in range(3):
    made = maker(noise)
    judges.zero_grad()
    judge(history(made.detach())).pow(2).mean().backward()
    judges.step()
    makers.zero_grad()
    judge(made).sigmoid().mean().backward()
    makers.step()
found = torch.cat([p.detach().flatten() for p in (*maker.parameters(), *judge.parameters())])
"""


def test_rows(tmp_path: Path) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, PROGRAM)
    assert (tmp_path / "after" / "program.py").read_text().count("grad_fn_") == 2, "no step within a step any more"
    np.testing.assert_allclose(mindspore_side.found.asnumpy(), torch_side.found.numpy(), rtol=1e-4, atol=1e-6)
