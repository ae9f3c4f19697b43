"""`nn.Embedding.from_pretrained`: rows, gradient, padding and freezing beside torch's."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.convert.both_sides import both_sides

pytestmark = pytest.mark.frameworks

PROGRAM = """import torch
from torch import nn

vectors = torch.arange(6.0).view(3, 2)
fixed = nn.Embedding.from_pretrained(vectors)
rows = fixed(torch.tensor([2, 0]))
frozen = fixed.weight.requires_grad
sizes = fixed.num_embeddings, fixed.embedding_dim


class Model(nn.Module):
    def __init__(self, table):
        super().__init__()
        self.emb = nn.Embedding.from_pretrained(table, freeze=False, padding_idx=0)

    def forward(self, x):
        return (self.emb(x) ** 2).sum()


model = Model(vectors)
loss = model(torch.tensor([[0, 1], [1, 2]]))
loss.backward()
gradient = model.emb.weight.grad
names = list(model.state_dict())
"""


def test_beside_torch(tmp_path: Path) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, PROGRAM)
    np.testing.assert_array_equal(mindspore_side.rows.asnumpy(), torch_side.rows.numpy())
    assert mindspore_side.frozen is torch_side.frozen is False
    assert tuple(mindspore_side.sizes) == torch_side.sizes
    np.testing.assert_allclose(mindspore_side.gradient.asnumpy(), torch_side.gradient.numpy())
    assert mindspore_side.names == torch_side.names
