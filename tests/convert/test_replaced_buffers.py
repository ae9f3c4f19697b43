"""Buffers that an assignment of several targets replaces."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides, equal_tensors

PROGRAM = """
import torch
from torch import nn


class Running(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mean", torch.zeros(2))
        self.register_buffer("var", torch.ones(2), persistent=False)
        self.register_buffer("count", torch.tensor(0.0))

    def update(self, x):
        mean = x.mean(0)
        total = self.count + x.shape[0]
        self.mean, self.var, self.count = mean + self.var, x.var(0) * self.mean, total
        self.mean, n = self.mean * 2, 3  # the other one is no buffer
        return n, mean


running = Running()
kept = [running.update(torch.arange(6.0).view(3, 2))[1], running.update(torch.ones(2, 2))[1], running.mean, running.var, running.count]
names = sorted(running.state_dict())
buffers = sorted(name for name, _ in running.named_buffers())
"""


@pytest.mark.frameworks
def test_several_targets(tmp_path: Path) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, PROGRAM)
    assert [t.tolist() for t in torch_side.kept] == [t.tolist() for t in mindspore_side.kept]
    assert torch_side.names == mindspore_side.names
    assert torch_side.buffers == mindspore_side.buffers


SOMETIMES = """
import torch
from torch import nn


class Bound(nn.Module):
    def __init__(self, bound):
        super().__init__()
        if torch.is_tensor(bound):
            self.register_buffer("bound", bound)
        else:
            self.bound = bound

    def forward(self, x):
        self.bound = self.bound * 2
        return x * self.bound


fixed, held = Bound(3.0), Bound(torch.ones(2))
kept = [fixed(torch.ones(2)), held(torch.ones(2)), torch.tensor([fixed.bound, len(list(fixed.buffers())), len(list(held.buffers()))]), held.bound]
"""


@pytest.mark.frameworks
def test_what_one_branch_registers_is_an_attribute_in_the_other(tmp_path: Path) -> None:
    expected, actual = both_sides(tmp_path, SOMETIMES)
    equal_tensors(expected.kept, actual.kept)


HELD = """
import torch
from torch import nn


class Masked(nn.Module):
    def __init__(self, n, saved):
        super().__init__()
        self.register_buffer("mask", torch.tril(torch.ones(n, n)), persistent=saved)
        self.width = n


class Settings:
    mask = None


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleDict({"first": Masked(4, True), "blocks": nn.ModuleList([Masked(3, False), Masked(4, True)])})

    def crop(self, n):
        for block in self.parts["blocks"]:
            block.mask = block.mask[:n, :n]


def double(holder):
    holder.mask = holder.mask * 2


net, settings = Net(), Settings()
net.crop(2)
for module in net.modules():
    if hasattr(module, "mask"):
        module.mask = module.mask + 1
settings.mask = torch.ones(2)
for one in (settings, net.parts["first"]):
    double(one)
kept = [settings.mask, net.parts["first"].mask, *(b.mask for b in net.parts["blocks"])]
names = sorted(net.state_dict())
"""


@pytest.mark.frameworks
def test_a_buffer_of_something_unknown(tmp_path: Path) -> None:
    expected, actual = both_sides(tmp_path, HELD)
    equal_tensors(expected.kept, actual.kept)
    assert expected.names == actual.names == ["parts.blocks.1.mask", "parts.first.mask"]


DELETED = """
import torch
from torch import nn


class Cached(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("cache", torch.zeros(2))
        self.register_buffer("mask", torch.ones(2))

    def set_mask(self, mask):
        delattr(self, "mask")
        self.mask = mask


net = Cached()
net.cache = torch.ones(2)  # a buffer still
before = sorted(net.state_dict())
del net.cache
net.cache = torch.full((2,), 3.0)
net.set_mask(torch.zeros(2))
kept = [net.cache, net.mask]
after = sorted(net.state_dict())
"""


@pytest.mark.frameworks
def test_a_deleted_buffer_is_an_attribute(tmp_path: Path) -> None:
    expected, actual = both_sides(tmp_path, DELETED)
    equal_tensors(expected.kept, actual.kept)
    assert (expected.before, expected.after) == (actual.before, actual.after) == (["cache", "mask"], [])
