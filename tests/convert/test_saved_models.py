"""Whole models in files: written, read and trained further, as in torch."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides

PROGRAM = """import io

import torch
from torch import nn


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(7, 6)
        self.mixer = nn.TransformerEncoderLayer(6, 2, 8, dropout=0.0, batch_first=True)
        self.memory = nn.GRU(6, 5, batch_first=True)
        self.conv = nn.Sequential(nn.Conv1d(5, 4, 3, padding=1), nn.BatchNorm1d(4), nn.ReLU())
        self.scale = nn.Parameter(torch.ones(4))
        self.register_buffer("shift", torch.arange(4.0))
        self.out = nn.Linear(4, 7)
        self.first = self.words  # one layer under two names

    def forward(self, x):
        h, _ = self.memory(self.mixer(self.first(x)))
        h = self.conv(h.transpose(1, 2)).mean(2)
        return self.out(h * self.scale + self.shift)


def fill(model):
    with torch.no_grad():
        for n, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) + n).view(p.shape) / 3)


model = Reader()
fill(model)
x = torch.tensor([[1, 2, 3, 4], [5, 6, 0, 1]])
y = torch.tensor([2, 5])
model.eval()
stream = io.BytesIO()
torch.save({"weights": model.state_dict(), "model": model, "again": model}, stream)
stream.seek(0)
saved = torch.load(stream, weights_only=False)
copy = saved["model"]
same = copy is saved["again"]
shared = copy.first is copy.words
mode = copy.training
names = [name for name, _ in copy.named_parameters()]
before = copy(x).detach()
copy.train()
optimizer = torch.optim.SGD(copy.parameters(), lr=0.1)
losses = []
for _ in range(3):
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(copy(x), y)
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
untouched = model(x).detach()
"""


@pytest.mark.frameworks
def test_a_whole_model_is_saved_read_and_trained(tmp_path: Path) -> None:
    theirs, ours = both_sides(tmp_path, PROGRAM)
    assert (ours.same, ours.shared, ours.mode, ours.names) == (theirs.same, theirs.shared, theirs.mode, theirs.names)
    assert ours.losses == pytest.approx(theirs.losses, rel=1e-5)
    for name in ("before", "untouched"):
        assert getattr(ours, name).asnumpy() == pytest.approx(getattr(theirs, name).numpy(), abs=1e-6)


@pytest.mark.frameworks
def test_a_model_that_holds_a_lambda_is_refused_as_in_torch(tmp_path: Path) -> None:
    text = "import io\n\nimport torch\nfrom torch import nn\n\nnet = nn.Linear(2, 2)\nnet.act = lambda v: v\n\n\ndef run():\n    torch.save(net, io.BytesIO())\n"
    theirs, ours = both_sides(tmp_path, text)
    with pytest.raises(Exception, match="pickle"):
        theirs.run()
    with pytest.raises(NotImplementedError, match="cannot be pickled"):
        ours.run()


WITH_OPTIMIZER = """import io

import torch
from torch import nn


class Scheduled:
    def __init__(self, optimizer):
        self.optimizer, self.count = optimizer, 0

    def step(self):
        self.count += 1
        self.optimizer.step()


model = nn.DataParallel(nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Linear(4, 2)))
head = nn.Linear(2, 2)
with torch.no_grad():
    for p in [*model.parameters(), *head.parameters()]:
        p.copy_(torch.arange(p.numel()).float().view_as(p) / p.numel())
scheduled = Scheduled(torch.optim.SGD([{"params": model.parameters()}, {"params": head.parameters()}], lr=0.1, momentum=0.9))
losses = []


def train(model, head, scheduled):
    for i in range(2):
        loss = (head(model(torch.arange(12.0).view(4, 3) * (i + 1))) - 1).pow(2).mean()
        scheduled.optimizer.zero_grad()
        loss.backward()
        scheduled.step()
        losses.append(loss.item())


train(model, head, scheduled)
stream = io.BytesIO()
torch.save({"model": model, "head": head, "scheduled": scheduled}, stream)
stream.seek(0)
kept = torch.load(stream, weights_only=False)
held = kept["scheduled"].optimizer.param_groups[0]["params"]
same = [one is other for one, other in zip(held, kept["model"].parameters(), strict=True)]
train(kept["model"], kept["head"], kept["scheduled"])
train(model, head, scheduled)
"""


@pytest.mark.frameworks
def test_an_optimizer_goes_on_with_the_model_beside_it(tmp_path: Path) -> None:
    """It came back with tensors of its own: what trained further left the model as it was, silently."""
    theirs, ours = both_sides(tmp_path, WITH_OPTIMIZER)
    assert all(theirs.same) and all(ours.same)
    assert ours.losses == pytest.approx(theirs.losses, rel=1e-5)
