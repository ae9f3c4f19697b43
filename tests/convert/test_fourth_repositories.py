"""Forms of public repositories: batches with an index of their own, sizes that tensors hold, sparse matrices that a function hands on, a distribution that draws by torch's inner function."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import printed_by_both

PROGRAM = """
import numpy as np
import scipy.sparse
import torch
from torch import distributions as pyd
from torch.distributions.utils import _standard_normal


class Batch:
    def __init__(self, data):
        self.data = data

    def __getitem__(self, item):
        if isinstance(item, str):
            return self.data[item]
        parts = [slice(one, one + 1) if isinstance(one, int) else one for one in (item if isinstance(item, tuple) else (item, slice(None)))]
        return Batch({key: value[parts[0], parts[1]] for key, value in self.data.items()})

    def filled(self):
        return torch.sum(self.data["filled"], 1).max(0)[0]


class Interface:
    @staticmethod
    def convert(matrix):
        coo = matrix.tocoo()
        return torch.sparse.FloatTensor(torch.LongTensor(np.array([coo.row, coo.col])), torch.from_numpy(coo.data).float(), coo.shape)


class Truncated(pyd.Normal):
    def __init__(self, loc, scale, low=-1.0, high=1.0):
        super().__init__(loc, scale, validate_args=False)
        self.low, self.high = low, high

    def sample(self, clip=None, sample_shape=torch.Size()):
        eps = _standard_normal(self._extended_shape(sample_shape), dtype=self.loc.dtype, device=self.loc.device)
        eps *= self.scale
        if clip is not None:
            eps = torch.clamp(eps, -clip, clip)
        clamped = torch.clamp(self.loc + eps, self.low, self.high)
        return self.loc - self.loc.detach() + clamped.detach()


batch = Batch({"filled": torch.ones(2, 5, 1, dtype=torch.long), "x": torch.ones(2, 5, 3)})
longest = batch.filled() - 2
print(tuple(batch[:, :longest]["x"].shape), tuple(batch[0]["x"].shape), tuple(batch[:1, : batch.filled()]["filled"].shape))
lengths = torch.IntTensor([2, 4, 3])
print(torch.FloatTensor(len(lengths), lengths.max(), 2).fill_(0).tolist())
graph = Interface.convert(scipy.sparse.csr_matrix(np.array([[0.0, 2.0], [3.0, 0.0]]))).cpu()
print(torch.sparse.mm(graph, torch.ones(2, 2)).tolist(), graph.dtype == torch.float32)
drawn = Truncated(torch.tensor([[0.5, 3.0], [-2.0, 0.25]]), torch.full((2, 2), 1e-9)).sample(clip=0.1)
print(drawn.round(decimals=3).tolist(), drawn.dtype == torch.float32)
"""


@pytest.mark.frameworks
def test_prints_what_torch_prints(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    assert theirs and ours == theirs
