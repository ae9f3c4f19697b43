"""``layer.forward = wrapped``: MindSpore calls `construct`, so that is what is replaced."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.convert.both_sides import both_sides, converted_script

PROGRAM = """
import functools
import types

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, fast=False):
        super().__init__()
        self.a = nn.Linear(2, 2)
        if fast:
            self.forward = self.forward_fast

    def forward(self, x):
        return self.a(x)

    def forward_fast(self, x):
        return self.a(x) * 0.5


def filled(net):
    with torch.no_grad():
        for p in net.parameters():
            p.fill_(0.5)
    return net


def thrice(self, x):
    return self.a(x) * 3


def wrap(layer, k):
    inner = layer.forward

    @functools.wraps(inner)
    def forward(*args):
        return inner(*args) + k

    layer.forward = forward


class Patched:
    def __init__(self, layer):
        self.layer, self.old = layer, layer.forward

    def __enter__(self):
        setattr(self.layer, "forward", lambda x: self.old(x) * 10)

    def __exit__(self, *error):
        self.layer.forward = self.old


x = torch.tensor([[1.0, 2.0]])
net = filled(Net())
kept = [net(x)]
net.forward = types.MethodType(thrice, net)
kept.append(net(x))
for _, child in net.named_children():
    wrap(child, 2)
wrap(net, 1)
kept += [net(x), net.a.forward(x)]
with Patched(net):
    kept.append(net(x))
kept += [net(x), filled(Net(fast=True))(x)]
Net.forward = thrice
kept.append(filled(Net())(x))
"""

ADAPTED = """
import types

import torch
import torch.nn.functional as F
from torch import nn


def adapt(layer, rank=2):
    layer.lora_a = nn.Parameter(torch.linspace(-1, 1, rank * layer.in_features).reshape(rank, -1))
    layer.lora_b = nn.Parameter(torch.linspace(1, 2, rank * layer.out_features).reshape(-1, rank))
    layer.weight.requires_grad = False
    original = layer.forward

    def forward(self, x):
        self.left = x @ self.lora_a.t() @ self.lora_b.t()
        return original(x) + self.left

    layer.forward = types.MethodType(forward, layer)


net = nn.Sequential(nn.Linear(4, 3), nn.Tanh(), nn.Linear(3, 2))
for module in net:
    if isinstance(module, nn.Linear):
        with torch.no_grad():
            for p in module.parameters():
                p.fill_(0.1)
        adapt(module)
optimizer = torch.optim.SGD([p for p in net.parameters() if p.requires_grad], lr=0.01, weight_decay=0.1)
x = torch.linspace(-1, 1, 12).reshape(3, 4)
kept = []
for step in range(3):
    loss = net(x).pow(2).mean() + net[0].left.abs().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    kept.append(loss.detach())
kept += [p.detach() for p in net.parameters()]
"""


def _same(folder: Path, text: str) -> None:
    theirs, ours = both_sides(folder, text)
    for expected, made in zip(theirs.kept, ours.kept, strict=True):
        np.testing.assert_allclose(made.asnumpy(), expected.detach().numpy(), rtol=2e-5, atol=1e-6)


@pytest.mark.frameworks
def test_functions_that_take_its_place(tmp_path: Path) -> None:
    _same(tmp_path, PROGRAM)


@pytest.mark.frameworks
def test_adapters_of_layers(tmp_path: Path) -> None:
    """New parameters of PyTorch's layers have no name to take over; what the new forward leaves behind carries a gradient."""
    _same(tmp_path, ADAPTED)


@pytest.mark.parametrize(("body", "written"), [
    ("m.forward = g", "m.construct = g"),  # nobody else has a forward
    ("m.forward = True", "m.forward = True"),
    ("old = m.forward\n    m.forward = g\n    return old", "old = m.construct"),
    ("return m.forward", "return m.forward"),
])  # fmt: skip
def test_of_what_nothing_is_known(tmp_path: Path, body: str, written: str) -> None:
    text = f"import torch\n\n\ndef f(m, g):\n    x = torch.zeros(1)\n    {body}\n"
    assert written in converted_script(tmp_path, text)
