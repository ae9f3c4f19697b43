"""A layer that is made after its network, by a helper of a forward pass, by a method of the finished network or by ``cls(…)``, trains from the start, as in torch."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover

NET = """import torch.nn as nn


class Net(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.n = n
        self.body = self.make_block(n)

    def make_block(self, n):
        return nn.Sequential(self.make_norm(n), nn.ReLU())

    def make_norm(self, n):
        return nn.BatchNorm1d(n)

    def forward(self, x):
        return self.body(x)
{method}"""

HELPER = """
    def normed(self, x):
        norm = nn.BatchNorm1d(x.size(1))
        return norm(x)

    def used(self, x):
        return self.normed(self.body(x))
"""
LAZY = """
    def build(self):
        self.drop = nn.Dropout(0.5)
"""
CLASS = """
    @classmethod
    def of(cls, n):
        return cls(n)
"""


def converted(folder: Path, text: str, beside: str = "") -> str:
    (folder / "net.py").write_text(text)
    (folder / "use.py").write_text(beside)
    return {path.name: text for path, text in convert(discover([folder])).files.items()}["net.py"]


@pytest.mark.parametrize(
    ("method", "line"),
    [(HELPER, "norm = nn.BatchNorm1d(x.shape[1]).set_train()"), (LAZY, "self.drop = nn.Dropout(p=0.5).set_train()"), (CLASS, "return cls(n).set_train()")],
)
def test_it_trains_from_the_start(tmp_path: Path, method: str, line: str) -> None:
    text = converted(tmp_path, NET.format(method=method))
    assert line in text and text.count("set_train") == 1


def test_what_the_constructor_makes_gets_its_mode_with_the_whole(tmp_path: Path) -> None:
    assert "set_train" not in converted(tmp_path, NET.format(method=""))


def test_what_is_made_at_both_times_trains_from_the_start(tmp_path: Path) -> None:
    again = NET.format(method="").replace("return self.body(x)", "return self.make_norm(3)(self.body(x))")
    assert "return nn.BatchNorm1d(n).set_train()" in converted(tmp_path, again)
    assert "return nn.BatchNorm1d(n).set_train()" in converted(tmp_path, NET.format(method=""), "def widen(net):\n    net.body = net.make_norm(4)\n")
