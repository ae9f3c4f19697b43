"""Objects that hand on to a module what they do not know, by ``__getattr__``."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.convert.both_sides import both_sides, converted_script

PROGRAM = """
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(2, 3)
        self.dropout = nn.Dropout(0.9)
        self.scale = 2.0

    def forward(self, x):
        return self.dropout(self.linear(x)) * self.scale

    def float(self):
        return ["its own"]


class Proxy:
    def __init__(self, module):
        self._module = module

    def __getattr__(self, name):
        if name == "_module":
            raise AttributeError(name)
        return getattr(self._module, name)

    def __call__(self, *args):
        return self._module(*args)


class Frozen(Proxy):
    def train(self, mode=True):
        raise RuntimeError("frozen")


net = Net()
with torch.no_grad():
    for p in net.parameters():
        p.copy_(torch.arange(p.numel(), dtype=torch.float32).view_as(p))
frozen = Frozen(net)
frozen.eval()
made = [frozen(torch.ones(1, 2)), torch.tensor(frozen.scale), sum(p.sum() for p in frozen.parameters()), torch.tensor(len(list(frozen.named_modules())))]
names = [sorted(frozen.state_dict()), frozen.training, frozen.float()]
try:
    frozen.train()
except RuntimeError as error:
    names.append(str(error))
Proxy(net).train()
names.append(net.training)
"""


@pytest.mark.frameworks
def test_methods_of_modules_are_found_behind_it(tmp_path: Path) -> None:
    theirs, ours = both_sides(tmp_path, PROGRAM)
    for one, other in zip(theirs.made, ours.made, strict=True):
        np.testing.assert_allclose(other.asnumpy(), one.detach().numpy(), 1e-5)
    assert ours.names == theirs.names


def test_what_hands_on_to_no_module_stays(tmp_path: Path) -> None:
    text = "import torch\n\n\nclass Options:\n    def __init__(self):\n        self.held = {}\n\n    def __getattr__(self, name):\n        return getattr(self.held, name)\n\n\nx = torch.ones(2)\nprint(Options().items())\n"
    assert "handed_on" not in converted_script(tmp_path, text)
