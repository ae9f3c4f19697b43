"""What a bare `super()` means in a graph: an object of a subclass would call the same method again."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides, converted_script, seen_by_graphs

PROGRAM = """
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(3, 3)
        with torch.no_grad():
            self.inner.weight.copy_(torch.arange(9.0).reshape(3, 3) / 7 - 0.5)
            self.inner.bias.fill_(0.25)

    def scale(self):
        return 2.0

    def forward(self, x):
        return self.inner(x) * self.scale()


class Gated(Block):
    def scale(self):
        return 3.0

    def forward(self, x):
        return torch.sigmoid(super().forward(x)) * super().scale()


class Twice(Gated):
    def forward(self, x):
        return super().forward(super().forward(x))


class Same(Gated):
    def scale(self):
        return 5.0


class Shifted(nn.Sequential):
    def forward(self, x):
        return super().forward(x) + 1


class Further(Shifted):
    pass


x = torch.linspace(-1, 1, 6).reshape(2, 3)
nets = [Gated(), Twice(), Same(), Further(nn.Tanh(), nn.ReLU())]
results = [net(x).detach() for net in nets]
"""


@pytest.mark.frameworks
def test_compiled_subclasses_compute_what_their_bases_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ms = pytest.importorskip("mindspore", reason="compares the frameworks")
    theirs, ours = both_sides(tmp_path, PROGRAM)
    seen_by_graphs(ours, monkeypatch)
    for wanted, found, net in zip(theirs.results, ours.results, ours.nets, strict=True):
        assert found.asnumpy() == pytest.approx(wanted.numpy(), rel=1e-5)
        assert ms.jit(net)(ours.x).asnumpy() == pytest.approx(wanted.numpy(), rel=1e-5)


def test_only_where_there_are_subclasses_and_a_graph_comes_by(tmp_path: Path) -> None:
    text = converted_script(tmp_path, PROGRAM)
    assert "super(Gated, self).construct(x)) * super(Gated, self).scale()" in text
    assert "super(Shifted, self).construct(x) + 1" in text
    assert "return super().construct(super().construct(x))" in text  # nothing derives from Twice
    assert "super().__init__()" in text
