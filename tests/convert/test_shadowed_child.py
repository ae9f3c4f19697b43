"""A layer under a name that a derived class has for a method."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import converted_script, printed_by_both

PROGRAM = """import torch
import torch.nn as nn


class Base(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.logit = nn.Linear(n, 2)
        self.embed = nn.Sequential(nn.Linear(n, n), nn.ReLU())
        with torch.no_grad():
            self._modules['logit'].weight.fill_(0.5)
            self._modules['logit'].bias.fill_(0.25)

    def forward(self, x):
        return self.logit(x)


class Derived(Base):
    def __init__(self, n):
        super().__init__(n)
        delattr(self, 'embed')
        delattr(self, 'logit')
        self.generator = nn.Linear(n, 3)
        with torch.no_grad():
            self.generator.weight.fill_(0.25)
            self.generator.bias.fill_(0.5)

    def logit(self, x):
        return self.generator(x) - self.generator.bias


base, derived = Base(4), Derived(4)
print(sorted(n for n, _ in base.named_parameters()), sorted(n for n, _ in derived.named_parameters()))
print((base(torch.ones(1, 4)) - base.logit.bias).tolist(), derived(torch.ones(1, 4)).tolist())
"""


@pytest.mark.frameworks
def test_the_method_is_called_and_the_layer_kept(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    assert ours == theirs


BODY = """import torch
from torch import nn


class Block(nn.Module):
    act = nn.Sigmoid()
    norm: nn.Module

    def __init__(self, act=True):
        super().__init__()
        self.fc = nn.Linear(2, 2)
        self.norm = nn.Identity()
        self.act = self.act if act is True else nn.Identity()
        with torch.no_grad():
            self.fc.weight.fill_(0.5)
            self.fc.bias.fill_(0.25)

    def forward(self, x):
        return self.act(self.norm(self.fc(x)))


for block in (Block(), Block(False)):
    print([n for n, _ in block.named_children()], type(dict(block.named_children())["act"]).__name__, [round(v, 5) for v in block(torch.ones(1, 2)).flatten().tolist()])
"""


@pytest.mark.frameworks
def test_what_the_class_binds_the_name_to_is_read(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, BODY)
    assert ours == theirs
    assert "self.norm = " in converted_script(tmp_path / "before", BODY)


def test_other_assignments_stay(tmp_path: Path) -> None:
    text = converted_script(tmp_path, "import torch.nn as nn\n\n\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.fc = nn.ReLU()\n        self.size = 3\n\n    def size(self):\n        return 1\n")
    assert "self.fc = nn.ReLU()" in text
    assert "self.size = 3" in text
