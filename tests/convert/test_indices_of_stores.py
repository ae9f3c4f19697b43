"""``x[:lin.out_features].copy_(y)``: an index that is converted itself, in the item that a change in place stores into."""

from __future__ import annotations

from pathlib import Path

import pytest

pytestmark = pytest.mark.frameworks
pytest.importorskip("torch", reason="this file compares the frameworks")
pytest.importorskip("mindspore", reason="this file compares the frameworks")

from tests.convert.both_sides import printed_by_both  # noqa: E402

PROGRAM = """
import torch
from torch import nn

lin, wide = nn.Linear(3, 2), nn.Linear(3, 4)
with torch.no_grad():
    for i, p in enumerate([*lin.parameters(), *wide.parameters()]):
        p.copy_(torch.arange(float(p.numel())).view_as(p) + i)
    wide.weight[:lin.out_features].copy_(lin.weight)
    wide.weight[lin.out_features:, lin.in_features - 1].mul_(10)
    wide.bias[lin.out_features:].add_(1).mul_(2)
x = torch.zeros(6, lin.in_features)
x[:x.size(0) // 2].fill_(3)
x[x.size(0) - 1, :lin.in_features - 1].sub_(torch.ones(lin.in_features - 1))
y = torch.ones(lin.in_features)
torch.add(y, 1, out=x[lin.in_features])
torch.mul(x[:2], 2, out=x[x.size(0) - 2:])
emb = nn.Embedding(4, 3)
emb.weight.data.zero_()
emb.weight.data[emb.padding_idx or emb.num_embeddings - 1].fill_(5)
print(wide.weight.tolist(), wide.bias.tolist(), x.tolist(), emb.weight.tolist())
"""


def test_the_index_is_converted(tmp_path: Path) -> None:
    expected, found = printed_by_both(tmp_path, PROGRAM)
    assert found == expected
