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
