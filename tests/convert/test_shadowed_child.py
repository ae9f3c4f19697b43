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


def test_other_assignments_stay(tmp_path: Path) -> None:
    text = converted_script(tmp_path, "import torch.nn as nn\n\n\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.fc = nn.ReLU()\n        self.size = 3\n\n    def size(self):\n        return 1\n")
    assert "self.fc = nn.ReLU()" in text
    assert "self.size = 3" in text
