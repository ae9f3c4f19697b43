"""Rows of a TensorDataset by what a sampler gives: NumPy's numbers and arrays, too."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides

PROGRAM = """
import numpy as np
import torch
from torch.utils.data import DataLoader, Sampler, Subset, TensorDataset


class Given(Sampler):
    def __init__(self, places):
        self.places = places

    def __iter__(self):
        return iter(self.places)

    def __len__(self):
        return len(self.places)


rows = TensorDataset(torch.arange(12.0).view(6, 2), torch.arange(6))
places = np.array([4, 1, 3])
kept = [[t.tolist() for t in rows[places]], [t.tolist() for t in rows[places[0]]]]
for loader in (DataLoader(Subset(rows, places), batch_size=2), DataLoader(rows, batch_size=2, sampler=Given(places))):
    kept += [[t.tolist() for t in batch] for batch in loader]
"""


@pytest.mark.frameworks
def test_numpys_places(tmp_path: Path) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, PROGRAM)
    assert torch_side.kept == mindspore_side.kept
