"""Steps that differentiate gradients and draw, or go on with iterators, on their way: a graph would do that once and keep it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mindport.convert import convert
from mindport.source.discover import discover
from tests.convert.both_sides import both_sides, seen_by_graphs

PROGRAM = """
import random

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset


class Tasks:
    def __init__(self):
        self.stream = np.random.RandomState(3)

    def draw(self):
        return torch.tensor(self.stream.randn(6, 2), dtype=torch.float32)


def run(kind):
    stream, tasks = np.random.RandomState(0), Tasks()
    random.seed(5)
    weight = nn.Parameter(torch.tensor([[0.5, -1.0]]))
    optimizer = torch.optim.SGD([weight], lr=0.1)
    batches = iter([torch.tensor(stream.randn(6, 2), dtype=torch.float32) for _ in range(9)])
    loader = DataLoader(TensorDataset(torch.tensor(stream.randn(6, 2), dtype=torch.float32)), batch_size=3)
    found = []
    for step in range(3):
        total = 0.0
        for task in range(2):
            %s
            inner = weight
            slope = torch.autograd.grad(F.linear(x, inner).pow(2).mean(), inner, create_graph=True)[0]
            inner = inner - 0.1 * slope
            total = total + F.linear(x, inner).pow(2).mean()
        optimizer.zero_grad()
        total.backward()
        optimizer.step()
        found += [total.detach(), weight.detach().clone()]
    return found
"""
WAYS = {
    "a stream": ("x = torch.tensor(stream.randn(6, 2), dtype=torch.float32)", "`stream.randn`"),
    "a stream of an object's own": ("x = tasks.draw()", "`self.stream.randn`"),
    "Python's numbers": ("x = torch.ones(6, 2) * random.random()", "`random.random`"),
    "an iterator": ("x = next(batches)", "`next`"),
    "a loader": ("x = torch.cat([batch for batch, in loader]) * (step + 1)", "`loader`"),
}


@pytest.mark.frameworks
@pytest.mark.parametrize("way", WAYS)
def test_both_sides_agree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    theirs, ours = both_sides(tmp_path, PROGRAM % WAYS[way][0])
    seen_by_graphs(ours, monkeypatch)
    for one, other in zip(theirs.run(way), ours.run(way), strict=True):
        np.testing.assert_allclose(other.asnumpy(), one.numpy(), rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("way", WAYS)
def test_the_reason_is_told(tmp_path: Path, way: str) -> None:
    (tmp_path / "program.py").write_text(PROGRAM % WAYS[way][0], encoding="utf-8")
    told = [finding.message for finding in convert(discover(tmp_path)).findings if finding.code == "MP403"]
    assert any(WAYS[way][1] in message and "would do once" in message for message in told), told


def test_draws_of_torch_are_compiled(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM % "x = torch.randn(6, 2)", encoding="utf-8")
    text = {path.name: text for path, text in convert(discover(tmp_path)).files.items()}["program.py"]
    assert "compiled_value_and_gradients(" in text
