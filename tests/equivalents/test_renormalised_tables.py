"""`max_norm`: the rows that are looked up shrink in the table itself, and training goes on from there."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.convert.both_sides import both_sides

pytestmark = pytest.mark.frameworks

PROGRAM = """import torch
from torch import nn
import torch.nn.functional as F


class Words(nn.Module):
    def __init__(self, rows, size, limit):
        super().__init__()
        self.table = nn.Embedding(rows, size, max_norm=limit)
        self.bags = nn.EmbeddingBag(rows, size, max_norm=limit, norm_type=1.0, mode="max", padding_idx=2)

    def forward(self, ids):
        return self.table(ids).sum(1) * self.bags(ids)


net = Words(6, 3, 0.8)
with torch.no_grad():
    for p in net.parameters():
        p.copy_(torch.linspace(-1.5, 1.5, 18).reshape(6, 3))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
ids = torch.tensor([[0, 5, 0], [4, 2, 3]])
losses = []
for _ in range(4):
    optimizer.zero_grad()
    loss = (net(ids) ** 2).sum()
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
tables = [p.detach() for p in net.parameters()]
free = torch.ones(4, 2)
rows = F.embedding(torch.tensor([1, 3]), free, max_norm=1.0, norm_type=2.0)
"""


def test_the_tables_and_the_losses_are_torchs(tmp_path: Path) -> None:
    before, after = both_sides(tmp_path, PROGRAM)
    np.testing.assert_allclose(after.losses, before.losses, rtol=1e-5)
    for theirs, ours in zip([*before.tables, before.free, before.rows], [*after.tables, after.free, after.rows], strict=True):
        np.testing.assert_allclose(ours.asnumpy(), theirs.numpy(), rtol=1e-5, atol=1e-6)
