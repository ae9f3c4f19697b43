"""Methods of tensors and modules that are read, not called: bound to their object, as in torch."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover
from tests.convert.both_sides import both_sides

PROGRAM = """import torch
from torch import nn


class Penalty(nn.Module):
    def __init__(self):
        super().__init__()
        self.line = nn.Linear(3, 2)
        self.sources = [self.named_parameters]

    def forward(self, x):
        reduce = x.mean if x.shape[0] > 1 else x.sum
        return self.line(x).sum() + reduce(dim=1).sum()

    def names(self):
        return [name for source in self.sources for name, _ in source()]


net = Penalty()
names = net.names()
with torch.no_grad():
    for p in net.parameters():
        p.fill_(0.5)
wide = net(torch.ones(2, 3)).item()
single = net(torch.ones(1, 3)).item()
order = sorted([2, 0, 1], key=torch.tensor([3.0, 1.0, 2.0]).tolist().__getitem__)
"""


@pytest.mark.frameworks
def test_read_methods_are_bound(tmp_path: Path) -> None:
    theirs, ours = both_sides(tmp_path, PROGRAM)
    for name in ("names", "wide", "single", "order"):
        assert getattr(ours, name) == getattr(theirs, name)


def test_methods_that_change_their_object_are_refused(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text("import torch\n\nx = torch.ones(2)\nadd = x.add_\nadd(1)\n")
    assert [f.code for f in convert(discover(tmp_path)).findings if f.code == "MP107"]
