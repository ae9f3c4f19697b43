"""Fields of batches that have a tensor method's name, of objects that nothing shows to be batches."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides

BATCHES = """import torch
from torch import nn
from torch.utils.data import DataLoader


class Bag:
    def __init__(self, **fields):
        self.__dict__["_fields"] = fields

    def __getattr__(self, key):
        return self.__dict__["_fields"][key]

    @classmethod
    def together(cls, rows):
        return cls(x=torch.stack([r["x"] for r in rows]), size=len(rows))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("seen", torch.zeros((), dtype=torch.long))

    def forward(self, batch):
        self.seen += batch.size
        return torch.zeros(batch.size) + batch.x.sum(1)


net = Net()
loader = DataLoader([{"x": torch.ones(2) * i} for i in range(5)], batch_size=2, collate_fn=Bag.together)
found = [net(batch).tolist() + [batch.size] for batch in loader] + [net.seen.item()]
"""


@pytest.mark.frameworks
def test_a_size_that_is_a_number(tmp_path: Path) -> None:
    """``batch.size`` of what a loader gives was ``partial(size, batch)``."""
    torch_side, mindspore_side = both_sides(tmp_path, BATCHES)
    assert mindspore_side.found == torch_side.found
