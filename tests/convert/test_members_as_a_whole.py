"""``module._parameters = new``: what a module computes with from there on; a cell would have kept an attribute that nobody reads."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover
from tests.convert.both_sides import both_sides, equal_tensors

PROGRAM = """
from collections import OrderedDict

import torch
from torch import nn


class Settings:
    def __init__(self):
        self._parameters = {"a": 1}


class Scale(nn.Module):
    def __init__(self):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(3))
        self.shift = nn.Parameter(torch.zeros(3))

    def forward(self, x):
        return x * self.gain + (0 if self.shift is None else self.shift)


def swapped(module, new, prefix=""):
    kept = OrderedDict()
    for name, param in module._parameters.items():
        kept[name] = new.get(prefix + name, param)
    module._parameters = kept
    for name, child in module._modules.items():
        swapped(child, new, prefix + name + ".")


net = nn.Sequential(Scale(), nn.Linear(3, 2))
for i, p in enumerate(net.parameters()):
    p.data.copy_(torch.arange(p.numel()).reshape(p.shape) * 0.1 + i)
x = torch.tensor([[1.0, 2.0, 3.0]])
before = {name: p for name, p in net.named_parameters()}
kept = [net(x).detach()]
swapped(net, {"0.gain": nn.Parameter(torch.full((3,), 5.0)), "1.weight": nn.Parameter(torch.ones(2, 3))})
kept.append(net(x).detach())
out = net(x).sum()
out.backward()
kept += [p.grad for _, p in sorted(net.named_parameters())]
swapped(net, before)
kept.append(net(x).detach())
net[0]._parameters = OrderedDict(gain=net[0].gain, shift=None)
kept.append(net(x).detach())
net._modules = OrderedDict(first=net[1], second=nn.ReLU())
kept.append(net(x).detach())
kept.append(torch.tensor([len(list(net.parameters())), len(Settings()._parameters)]))
"""
SEVERAL = """
from torch import nn

net = nn.Linear(3, 2)
other = net._parameters = dict(net._parameters)
"""


@pytest.mark.frameworks
def test_what_is_stored_is_computed_with(tmp_path: Path) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, PROGRAM)
    equal_tensors(torch_side.kept, mindspore_side.kept)


def test_one_of_several_targets_is_told(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(SEVERAL)
    assert [(finding.code, finding.span.line) for finding in convert(discover(tmp_path)).findings if finding.span] == [("MP101", 5)]
