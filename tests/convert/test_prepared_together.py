"""Objects of the project's that wrap a library's, prepared together: a network and an optimizer come back from one method."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides

PREPARED = """import torch
from torch import nn


class Wrapped(torch.optim.Optimizer):
    def __init__(self, inner):
        self.inner = inner

    @property
    def param_groups(self):
        return self.inner.param_groups

    @param_groups.setter
    def param_groups(self, groups):
        self.inner.param_groups = groups

    def zero_grad(self, set_to_none=None):
        self.inner.zero_grad()

    def step(self, closure=None):
        self.inner.step(closure)


class Helper:
    def prepare(self, *objects):
        return tuple(self._one(o) for o in objects)

    def _one(self, obj):
        if isinstance(obj, nn.Module):
            return obj.to("cpu")
        if isinstance(obj, torch.optim.Optimizer):
            return Wrapped(obj)
        return obj


net = nn.Linear(2, 1)
nn.init.constant_(net.weight, 0.5)
nn.init.constant_(net.bias, 0.0)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
net, opt = Helper().prepare(net, opt)
found = []
for i in range(3):
    loss = net(torch.ones(2, 2)).pow(2).mean()
    loss.backward()
    opt.step()
    if i:
        opt.zero_grad()
    else:
        net.zero_grad()
    found.append(round(loss.item(), 5))
"""


@pytest.mark.frameworks
def test_an_optimizer_that_wraps_one_has_its_own_zero_grad(tmp_path: Path) -> None:
    """``zero_grad(optimizer)``, a module's, stopped with an AttributeError: of what `prepare` gives back, each may be the network."""
    torch_side, mindspore_side = both_sides(tmp_path, PREPARED)
    assert mindspore_side.found == torch_side.found
