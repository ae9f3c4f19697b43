"""What sixteen public repositories stopped at: items of an object's own `data`, lists of numbers and tensors, tuples as data, buffers by computed names,
parameters that an optimizer is given several times."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover
from tests.convert.both_sides import printed_by_both

PROGRAM = """
import pickle

import numpy as np
import torch
from scipy.sparse import coo_matrix
from torch import nn

with open("matrix.pkl", "wb") as f:
    pickle.dump(coo_matrix(np.ones((2, 2))), f)
with open("matrix.pkl", "rb") as f:
    matrix = pickle.load(f)
for i in range(len(matrix.data)):
    matrix.data[i] = matrix.data[i] / (i + 1)
matrix.data[3] += 2
print([float(n) for n in matrix.data])


def doubled(x, k):
    x.data[k] = 5
    x.data = x.data * 2
    return x


doubled(matrix, 0)
print([float(n) for n in matrix.data])
share = torch.tensor([0.0, 2.0])
print(torch.Tensor([1.0 / x if x > 0 else 7 for x in share]).tolist())


class Moments(nn.Module):
    def __init__(self):
        super().__init__()
        for i in range(2):
            self.register_buffer(f"m{i}", torch.zeros(2))

    def update(self, x):
        for i in range(2):
            setattr(self, f"m{i}", getattr(self, f"m{i}") + (x ** (i + 1)).mean(0))


moments = Moments()
moments.update(torch.arange(4.0).view(2, 2))
print(moments.m0.tolist(), moments.m1.tolist(), sorted(moments.state_dict()))
with open("triple.pkl", "wb") as f:
    pickle.dump({"triple": (3, 1, 2)}, f)
with open("triple.pkl", "rb") as f:
    item = pickle.load(f)
print(torch.LongTensor(item["triple"]).tolist(), moments.m0.shape[0])


def listed(net):
    for part in net.modules():
        for p in part.parameters():
            yield p


x = torch.linspace(-1, 1, 15).view(5, 3)
for kind, options in ((torch.optim.SGD, {"lr": 0.1, "momentum": 0.9, "weight_decay": 0.01}), (torch.optim.Adam, {"lr": 0.1})):
    net = nn.Sequential(nn.Sequential(nn.Linear(3, 2)), nn.Tanh())
    for i, p in enumerate(net.parameters()):
        p.data.copy_(torch.linspace(-1, 1, p.numel()).view(p.shape) * (0.3 + 0.1 * i))
    optimizer = kind(listed(net), **options)
    for step in range(3):
        optimizer.zero_grad()
        loss = (net(x) ** 2).mean()
        loss.backward()
        optimizer.step()
    print(f"{loss.item():.4f}", " ".join(f"{p.abs().sum().item():.4f}" for p in net.parameters()))
"""


@pytest.mark.frameworks
def test_both_sides_print_the_same(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    assert theirs and ours == theirs


@pytest.mark.parametrize(
    ("line", "taken"),
    [
        ("n = x.size()[0]", True),
        ("size = x.size()\n    print(size, size[0])", True),
        ("a, b = x.shape", True),
        ("y = x.new_zeros(x.shape[1:])", True),
        ("item['size'] = x.shape", False),
        ("size = x.shape[1:]\n    item.append(size)", False),
        ("return x.size()", False),
    ],
)
def test_tuples_are_data_where_no_size_travels(tmp_path: Path, line: str, taken: bool) -> None:
    (tmp_path / "a.py").write_text(f"import torch\n\n\ndef f(item, x):\n    t = torch.LongTensor(item['triple'])\n    {line}\n")
    text = convert(discover(tmp_path)).files
    assert ("TUPLES_ARE_DATA" in "".join(text.values())) is taken


SCORES = """
import torch


def score(net, x, *, requires_grad=True):
    with torch.enable_grad() if requires_grad else torch.no_grad():
        out = net(x)
    return out.sum(-1), out.numel()


def step(net, x, optimizers):
    logp, n = score(net, x, requires_grad=True)
    w = torch.zeros(2, requires_grad=True)
    losses = [(logp.mean() / n + w.sum()) * k for k in range(2)]
    for loss, optimizer in zip(losses, optimizers):
        loss.backward(retain_graph=True)
        optimizer.step()
"""


def test_a_functions_own_keyword_asks_for_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(SCORES)
    text = {path.name: text for path, text in convert(discover(tmp_path)).files.items()}["a.py"]
    assert "backward(loss" in text and "wants_gradient(ops.zeros(2))" in text
    assert "logp, n = score(net, x, requires_grad=True)" in text
