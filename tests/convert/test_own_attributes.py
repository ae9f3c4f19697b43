"""``__getattr__`` and ``__setattr__`` of a project's modules answer the project, not MindSpore."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides

PROGRAM = """import torch
from torch import nn


class Inner(nn.Module):
    noted = []

    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)
        self.width = 2
        self.register_buffer("shift", torch.ones(2))

    def __setattr__(self, name, value):
        Inner.noted.append(name)
        super().__setattr__(name, value)

    def __delattr__(self, name):
        Inner.noted.append("-" + name)
        super().__delattr__(name)

    def forward(self, x):
        return self.fc(x) + self.shift


class Parallel(nn.Module):
    def __init__(self, module):
        super().__init__()
        self.module = module

    def __getattr__(self, name):
        try:
            return super().__getattr__(name)
        except AttributeError:
            return getattr(self.module, name)

    def forward(self, x):
        return self.module(x) * self.width


class Settings(nn.Module):
    def __init__(self, **options):
        super().__init__()
        self._options = options
        self.fc = nn.Linear(2, options["out"])

    def __getattr__(self, name):
        options = self.__dict__.get("_options", {})
        return options[name] if name in options else super().__getattr__(name)

    def forward(self, x):
        return self.fc(x) * self.scale


net, other = Parallel(Inner()), Settings(out=1, scale=2.0)
net.module.extra = 1
del net.module.extra
found = [net.width, other.out, hasattr(net, "absent"), hasattr(other, "absent"), [n for n, _ in net.named_parameters()], list(net.state_dict())]
noted = sorted(set(Inner.noted) - {"training"})
with torch.no_grad():
    for p in [*net.parameters(), *other.parameters()]:
        p.copy_(torch.arange(1.0, p.numel() + 1).reshape(p.shape) / 4)
losses = []
optimizer = torch.optim.SGD([*net.parameters(), *other.parameters()], lr=0.01)
x = torch.tensor([[1.0, 2.0], [3.0, -1.0]])
for _ in range(3):
    loss = (net(x) - other(x)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
"""


@pytest.mark.frameworks
def test_wrappers_hand_names_on(tmp_path: Path) -> None:
    """MindSpore asked the wrapper for `bprop` before it held a module: it called itself without end."""
    theirs, ours = both_sides(tmp_path, PROGRAM)
    assert ours.found == theirs.found
    assert ours.noted == theirs.noted
    assert ours.losses == pytest.approx(theirs.losses, rel=1e-5)
