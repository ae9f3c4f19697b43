"""``nn.Linear.__init__(self, …)`` and ``nn.Module.train(self, mode)``: the base's own, whatever stands beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover
from tests.convert.both_sides import both_sides

PROGRAM = """import torch
from torch import nn


class Ranked:
    def __init__(self, rank):
        self.rank = rank


class Adapted(nn.Linear, Ranked):
    def __init__(self, i, o, rank=2, **options):
        nn.Linear.__init__(self, i, o, **options)
        Ranked.__init__(self, rank=rank)
        self.low = nn.Parameter(torch.ones(rank, i))
        self.high = nn.Parameter(torch.ones(o, rank))
        self.merged = False

    def train(self, mode: bool = True):
        nn.Linear.train(self, mode)
        if mode and self.merged:
            self.weight.data -= self.high @ self.low
        elif not mode and not self.merged:
            self.weight.data += self.high @ self.low
        self.merged = not mode
        return self

    def apply(self, fn):
        return nn.Module.apply(self, fn)

    def forward(self, x):
        y = nn.Linear.forward(self, x)
        return y if self.merged else y + x @ self.low.T @ self.high.T


class Filter(nn.Conv1d, Ranked):
    def __init__(self, i, o, k, rank=1, **options):
        nn.Conv1d.__init__(self, i, o, k, **options)
        Ranked.__init__(self, rank)

    def forward(self, x):
        return nn.Conv1d.forward(self, x) * self.rank


class Table(nn.Embedding):
    def __init__(self, *arguments, **options):
        nn.Embedding.__init__(self, *arguments, **options)
        self.drawn = 0

    def reset_parameters(self):
        nn.Embedding.reset_parameters(self)
        self.drawn = 1


nets = [Adapted(2, 3, bias=False), Filter(1, 2, 3, rank=3, padding=1), Table(4, 2, padding_idx=0)]
with torch.no_grad():
    for net in nets:
        for p in net.parameters():
            p.copy_(torch.arange(p.numel(), dtype=torch.float32).reshape(p.shape))
x = torch.tensor([[1.0, 2.0]])
values = [nets[0](x).tolist()]
nets[0].eval()
values += [nets[0](x).tolist(), nets[0].merged, nets[0].training]
nets[0].train()
values += [nets[0](x).tolist(), nets[0].merged, nets[0].apply(lambda m: None) is nets[0], nets[0].rank]
values += [nets[1](torch.ones(1, 1, 4)).tolist(), [n for n, _ in nets[1].named_parameters()], nets[2](torch.tensor([1, 3])).tolist()]
nets[2].reset_parameters()
values.append(nets[2].drawn)
"""


@pytest.mark.frameworks
def test_bases_called_by_name(tmp_path: Path) -> None:
    """The constructor was a blocker; ``nn.Linear.train(self, mode)`` in `train` became a call of itself, ``nn.Embedding.reset_parameters`` a NameError."""
    theirs, ours = both_sides(tmp_path, PROGRAM)
    assert ours.values == theirs.values


def test_the_base_has_its_name_after_conversion(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    conversion = convert(discover(tmp_path))
    text = next(iter(conversion.files.values()))
    assert "super().set_train(mode)" in text
    assert "super().apply(fn)" in text
    assert "Linear.__init__(self, i, o, **options)" in text
    assert "return Conv1d.construct(self, x) * self.rank" in text
    assert not [f for f in conversion.findings if f.code in ("MP101", "MP107")]


OTHERS = """import torch
from torch.optim import Adagrad, lr_scheduler
from torch.utils.data import DataLoader, Dataset


class Clipped(Adagrad):
    def __init__(self, params, lr=1e-2, clip=0.0):
        Adagrad.__init__(self, params, lr=lr)
        self.defaults["clip"] = clip
        self.param_groups[0].setdefault("clip", clip)

    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                p.grad.clamp_(-group["clip"], group["clip"])
        return torch.optim.Adagrad.step(self, closure)


class Halved(lr_scheduler.StepLR):
    def __init__(self, optimizer, size):
        lr_scheduler.StepLR.__init__(self, optimizer, size, gamma=0.5)

    def step(self, epoch=None):
        lr_scheduler.StepLR.step(self)


class Rows(Dataset):
    def __init__(self, count):
        Dataset.__init__(self)
        self.count = count

    def __len__(self):
        return self.count

    def __getitem__(self, i):
        return torch.tensor(float(i))


class Doubled(DataLoader):
    def __init__(self, rows, size):
        DataLoader.__init__(self, rows, batch_size=size)

    def __iter__(self):
        for batch in DataLoader.__iter__(self):
            yield batch * 2


w = torch.nn.Parameter(torch.tensor([1.0, -2.0]))
optimizer = Clipped([w], lr=0.5, clip=0.25)
plan = Halved(optimizer, 1)
values = [batch.tolist() for batch in Doubled(Rows(5), 2)]
for _ in range(2):
    optimizer.zero_grad()
    (w * w).sum().backward()
    optimizer.step()
    plan.step()
    values.append([*w.tolist(), optimizer.param_groups[0]["lr"], optimizer.param_groups[0]["clip"]])
"""


@pytest.mark.frameworks
def test_bases_that_are_no_modules(tmp_path: Path) -> None:
    """An optimizer's constructor was a blocker, and its step called itself without end."""
    theirs, ours = both_sides(tmp_path, OTHERS)
    for mine, value in zip(ours.values, theirs.values, strict=True):
        assert mine == pytest.approx(value, rel=1e-6)
