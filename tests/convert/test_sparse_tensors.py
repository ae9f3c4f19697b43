"""Sparse tensors: places and values in a class of their own, in projects that make any."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mindport.convert import convert
from mindport.source.discover import discover
from tests.convert.both_sides import both_sides, converted_script

PROGRAM = """
import torch
from torch import nn


class Weighted(torch.autograd.Function):
    @staticmethod
    def forward(ctx, places, values, size, dense):
        matrix = torch.sparse_coo_tensor(places, values, size)
        ctx.save_for_backward(matrix, dense)
        return torch.matmul(matrix, dense)

    @staticmethod
    def backward(ctx, gradient):
        matrix, dense = ctx.saved_tensors
        flat = matrix._indices()[0] * matrix.shape[1] + matrix._indices()[1]
        return None, gradient.matmul(dense.t()).view(-1)[flat], None, matrix.t().matmul(gradient)


class Propagation(nn.Module):
    def __init__(self, graph):
        super().__init__()
        self.graph = graph
        self.register_buffer("turned", graph.t().coalesce())
        self.scale = nn.Parameter(torch.linspace(0.5, 1.5, graph._nnz()))
        self.rows = nn.Parameter(torch.linspace(-1, 2, 15).view(5, 3))

    def forward(self):
        once = torch.sparse.mm(self.graph, torch.tanh(self.rows))
        twice = torch.spmm(self.turned, once)
        return torch.mm(self.graph, twice) + Weighted.apply(self.graph.indices(), self.scale, self.graph.size(), self.rows)


def normalised(rows, columns, size):
    graph = torch.sparse.FloatTensor(torch.stack([rows, columns]), torch.ones(len(rows)), torch.Size((size, size))).cpu().coalesce()
    degree = torch.sparse.sum(graph, dim=1).to_dense()
    scale = degree.pow(-0.5)[graph.indices()[0]]
    return torch.sparse_coo_tensor(graph.indices(), graph.values() * scale, graph.shape).coalesce()


graph = normalised(torch.tensor([0, 1, 1, 2, 3, 4, 1]), torch.tensor([1, 0, 2, 1, 4, 3, 2]), 5)
model = Propagation(graph)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for _ in range(3):
    optimizer.zero_grad()
    loss = model().pow(2).sum()
    loss.backward()
    optimizer.step()
kept = [
    model().detach(), model.scale.detach(), graph.to_dense(), torch.eye(3).to_sparse().indices(), (graph * 2).to_dense(),
    torch.tensor([graph.is_sparse, loss.is_sparse, isinstance(graph, torch.Tensor), torch.is_tensor(graph)]),
    (graph @ torch.ones(5)), torch.sum(graph), torch.transpose(graph, 0, 1).to_dense(), torch.ones(2, 2).to_dense(),
]
"""


@pytest.mark.frameworks
def test_graph_networks_train_the_same(tmp_path: Path) -> None:
    expected, actual = both_sides(tmp_path, PROGRAM)
    for theirs, ours in zip(expected.kept, actual.kept, strict=True):
        assert str(theirs.dtype).removeprefix("torch.") == str(ours.dtype).lower()
        np.testing.assert_allclose(ours.asnumpy(), theirs.numpy(), rtol=1e-5, atol=1e-6)


def test_projects_without_sparse_tensors_keep_their_text(tmp_path: Path) -> None:
    text = "import torch\na = torch.ones(2, 2)\nb = torch.mm(a, a)\nc = isinstance(a, torch.Tensor)\n"
    assert converted_script(tmp_path, text).splitlines()[-2:] == ["b = ops.mm(a, a)", "c = isinstance(a, Tensor)"]


def test_a_product_anywhere_in_a_project_may_be_of_a_sparse_tensor(tmp_path: Path) -> None:
    (tmp_path / "graph.py").write_text("import torch\ngraph = torch.eye(3).to_sparse()\n")
    (tmp_path / "layer.py").write_text("import torch\n\ndef step(graph, x):\n    return torch.mm(graph, x)\n")
    assert "return mm_or_sparse(graph, x)" in {path.name: text for path, text in convert(discover(tmp_path)).files.items()}["layer.py"]


def test_saved_tensors_stay_where_nothing_is_sparse(tmp_path: Path) -> None:
    text = PROGRAM.split("class Propagation")[0].replace("torch.sparse_coo_tensor(places, values, size)", "dense")
    assert "ctx.save_for_backward(matrix, dense)" in converted_script(tmp_path, text)


def test_the_old_constructors_make_tensors(tmp_path: Path) -> None:
    """What ``torch.sparse.FloatTensor`` gives is a tensor, also where a function hands it on: ``.cuda()`` goes."""
    text = "import torch\n\n\ndef made(i, v, shape):\n    return torch.sparse.FloatTensor(i, v, shape)\n\n\ngraph = made(1, 2, 3).cuda()\n"
    assert "graph = made(1, 2, 3)\n" in converted_script(tmp_path, text)


PARTS = """import torch
from torch import nn


class Spread(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(2, 2)
        nn.init.constant_(self.lin.weight, 0.5)
        nn.init.constant_(self.lin.bias, 0.1)

    def forward(self, x, graph=None):
        if graph != None: graph = graph.unsqueeze(0)
        h = self.lin(x.unsqueeze(0))
        return torch.stack([torch.mm(graph[b, ...], h[b, ...]) for b in range(h.shape[0])], dim=0).squeeze(0)


graph = torch.sparse_coo_tensor(torch.tensor([[0, 2, 2, 1], [1, 0, 2, 1]]), torch.tensor([1.0, 2.0, 3.0, -1.0]), (3, 3)).coalesce()
net = Spread()
net(torch.arange(6.0).view(3, 2), graph).pow(2).mean().backward()
values = [net.lin.weight.grad.flatten().tolist(), net.lin.bias.grad.tolist()]
wide = graph.unsqueeze(1)
values += [list(wide.shape), wide.to_dense().flatten().tolist(), wide[2].to_dense().flatten().tolist(), graph[1].to_dense().tolist(), graph.select(1, 0).to_dense().tolist()]
values += [[graph[2, 2].item(), graph[-1, 1].item(), graph[0, 0].item()], graph.unsqueeze(2).to_dense().flatten().tolist(), list(graph.unsqueeze(-1).shape)]
"""


@pytest.mark.frameworks
def test_parts_and_axes(tmp_path: Path) -> None:
    """Both were refused: networks on meshes put an axis in front and take one batch after the other."""
    expected, actual = both_sides(tmp_path, PARTS)
    for theirs, ours in zip(expected.values, actual.values, strict=True):
        assert ours == pytest.approx(theirs, rel=1e-5)


CLASSES = """
import torch

graph = torch.sparse.FloatTensor(torch.tensor([[0, 1], [1, 2]]), torch.tensor([1.0, 2.0]), torch.Size([3, 3]))
KINDS = {"float": torch.sparse.FloatTensor, "long": torch.sparse.LongTensor}
values = [
    [isinstance(x, torch.sparse.FloatTensor), isinstance(x, (torch.FloatTensor, torch.sparse.DoubleTensor)), isinstance(x, KINDS["float"]), isinstance(x, torch.FloatTensor)]
    for x in (graph, torch.eye(3), graph.to_dense(), 3)
]
values += [KINDS["long"](torch.tensor([[1], [0]]), torch.tensor([4]), (2, 3)).shape[1]]
"""


@pytest.mark.frameworks
def test_classes_of_sparse_tensors_are_asked_for(tmp_path: Path) -> None:
    expected, actual = both_sides(tmp_path, CLASSES)
    assert actual.values == expected.values == [[True, False, True, False], *[[False, True, False, True]] * 2, [False] * 4, 3]
