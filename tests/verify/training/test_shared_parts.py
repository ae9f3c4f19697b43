"""What the ladder must be able to watch: a model that takes up part of another, a sparse tensor among a model's inputs, a loss with weights of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert, write
from mindport.source.discover import discover
from mindport.verify.training.ladder import climb_ladder
from mindport.verify.training.plan import TrainSide, TrainSpec

PROGRAM = """import torch
from torch import nn

torch.manual_seed(0)


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, 4), nn.Tanh())
        self.head = nn.Linear(4, 2)

    def forward(self, x, adjacency):
        return self.head(torch.sparse.mm(adjacency, self.body(x)))


class Probe(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.backbone = encoder
        self.top = nn.Linear(2, 1)

    def forward(self, x, adjacency):
        return self.top(self.backbone(x, adjacency))


def train(model, optimizer, target):
    for _ in range(3):
        optimizer.zero_grad()
        loss = criterion(model(x, adjacency), target)
        loss.backward()
        optimizer.step()


x, y = torch.rand(5, 3), torch.rand(5, 2)
adjacency = torch.sparse_coo_tensor(torch.tensor([[0, 1, 2, 3, 4, 0], [1, 2, 3, 4, 0, 3]]), torch.rand(6), (5, 5))
criterion = nn.BCEWithLogitsLoss(pos_weight=torch.tensor([1.5]))
encoder = Encoder()
train(encoder, torch.optim.SGD(encoder.parameters(), lr=0.1), y)
probe = Probe(encoder)
train(probe, torch.optim.SGD(probe.top.parameters(), lr=0.1), y[:, :1])
"""


@pytest.mark.frameworks
def test_every_rung_passes(tmp_path: Path) -> None:
    (tmp_path / "torch").mkdir()
    (tmp_path / "torch" / "train.py").write_text(PROGRAM)
    write(convert(discover(tmp_path / "torch")), tmp_path / "mindspore")
    plan = TrainSpec("train.py", TrainSide(str(tmp_path / "torch")), TrainSide(str(tmp_path / "mindspore")), steps=6, noise=1, float64=False)
    ladder = climb_ladder(plan, tmp_path / "work")
    assert ladder.troubles == []
    assert [(rung.name, rung.verdict, rung.message) for rung in ladder.rungs if rung.verdict != "passes" and rung.name != "metric"] == []
