"""``getattr(net, how)(x)``, where `how` is "forward" for one of several: `construct` is the name of MindSpore's."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover
from tests.convert.both_sides import printed_by_both

PROGRAM = """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(2, 1)
        self.a.weight.data.fill_(0.5)
        self.a.bias.data.fill_(1.0)

    def forward(self, x):
        return self.a(x)

    def twice(self, x):
        return self.forward(self.forward(x).expand(-1, 2))

    def run(self, how, x):
        return getattr(self, how)(x)


class Steps(nn.Module):
    def __call__(self, x):
        for name in ("before", "forward", "after"):
            step = getattr(self, name, None)
            if step is not None:
                x = step(x)
        return x


class Own(Steps):
    def forward(self, x):
        return x * 3

    def after(self, x):
        return x + 1


x = torch.arange(6.0).view(3, 2)
for name in ("forward", "twice"):
    print(getattr(Net(), name)(x).tolist(), Net().run(name, x).tolist())
print(Own()(x).tolist())
"""


@pytest.mark.frameworks
def test_forward_is_one_of_several(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    assert ours == theirs


def test_methods_of_modules_are_told(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text("from torch import nn\n\nnet = nn.Linear(2, 1)\nfor mode in ('train', 'eval'):\n    getattr(net, mode)()\n", encoding="utf-8")
    assert [f.span.line for f in convert(discover(tmp_path)).findings if f.code == "MP107"] == [5]
