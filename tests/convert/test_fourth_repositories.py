"""Forms of public repositories: embeddings that are lists of lambdas under a gradient of gradients, batches with an index of their own, sizes that tensors hold, sparse matrices that a function hands on, a distribution that draws by torch's inner function."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import printed_by_both

PROGRAM = """
import json
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


def held(kind, batch):
    return {"whole": batch, "half": batch[:, :2]}[kind]  # what json.loads gives is not known


batch = Batch({"filled": torch.ones(2, 5, 1, dtype=torch.long), "x": torch.ones(2, 5, 3)})
longest = batch.filled() - 2
print(tuple(batch[:, :longest]["x"].shape), tuple(batch[0]["x"].shape), tuple(batch[:1, : batch.filled()]["filled"].shape))
for kind in json.loads('["whole", "half"]'):
    some = held(kind, batch)
    print(tuple(some[:, : some.filled()]["x"].shape))
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


FIELD = """
import numpy as np
import torch
from torch import nn


def get_embedder(multires):
    functions, size = [lambda x: x], 3
    for freq in 2.0 ** torch.linspace(0.0, multires - 1, multires):
        def squared(x, freq=freq):
            return (x * freq) ** 2

        functions.append(squared)
        size += 3
        for p_fn in (torch.sin, torch.cos):
            functions.append(lambda x, p_fn=p_fn, freq=freq: p_fn(x * freq))
            size += 3

    class Embedder:
        def embed(self, inputs):
            return torch.cat([fn(inputs) for fn in functions], -1)

    embedder_obj = Embedder()
    embed = lambda x, eo=embedder_obj: eo.embed(x)
    return embed, size


class Field(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_fn, size = get_embedder(2)
        self.inner, self.outer = nn.Linear(size, 8), nn.Linear(8, 1)
        for i, p in enumerate(self.parameters()):
            p.data.copy_(torch.from_numpy(np.random.RandomState(i).randn(*p.shape).astype("float32") / 3))

    def forward(self, x):
        return self.outer(torch.tanh(self.inner(self.embed_fn(x))))

    def gradient(self, x):
        x.requires_grad_(True)
        y = self.forward(x)
        return torch.autograd.grad(outputs=y, inputs=x, grad_outputs=torch.ones_like(y), create_graph=True, retain_graph=True, only_inputs=True)[0]


net = Field()
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
points = torch.from_numpy(np.random.RandomState(9).randn(6, 3).astype("float32"))
for step in range(3):
    held = net.gradient(points)
    loss = ((held.norm(dim=-1) - 1) ** 2).mean() + net(points).abs().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"{loss.item():.4f}")
"""


@pytest.mark.frameworks
def test_fields_of_embedded_points_are_taught_the_same(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, FIELD)
    assert theirs and ours == theirs
