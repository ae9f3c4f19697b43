"""A tensor whose gradient is asked for inside of a step that is compiled."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.convert.both_sides import both_sides, seen_by_graphs

PROGRAM = """
import torch
from torch import nn


class Slope(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.tensor([[0.5, -1.0], [2.0, 0.25]]))

    def terms(self, q, p):
        energy = (torch.cat([q, p], dim=1) @ self.weight).tanh().sum()
        return torch.autograd.grad(energy, (q, p), create_graph=True)

    def forward(self, q, p):
        q, p = q.requires_grad_(True), p.requires_grad_(True)
        by_q, by_p = self.terms(q, p)
        return by_q * 2 + by_p


def run():
    net, q, p = Slope(), torch.tensor([[0.3], [-0.7]]), torch.tensor([[1.1], [0.2]])
    loss = net(q, p).pow(2).sum()
    loss.backward()
    return [loss.detach(), net.weight.grad]
"""


@pytest.mark.frameworks
def test_both_sides_agree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    theirs, ours = both_sides(tmp_path, PROGRAM)
    assert "requires_grad_(q, True)" in (tmp_path / "after" / "program.py").read_text()
    seen_by_graphs(ours, monkeypatch)
    for one, other in zip(theirs.run(), ours.run(), strict=True):
        np.testing.assert_allclose(other.asnumpy(), one.numpy(), rtol=1e-4, atol=1e-6)
