"""Copies of a module that go on with parameters, buffers and children of their own: ``copied._parameters = {…}``, as meta learning adapts them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import printed_by_both

PROGRAM = """import copy
import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Tanh())
        self.last = nn.Linear(4, 1)
        self.register_buffer("shift", torch.full((1,), 0.5))

    def forward(self, x):
        return self.last(self.first(x)) + self.shift


def twin_of(module):
    BORN
    twin._parameters = {name: None if p is None else p.clone() for name, p in module._parameters.items()}
    twin._buffers = {name: b.clone() for name, b in module._buffers.items()}
    twin._modules = {name: twin_of(child) for name, child in module._modules.items()}
    return twin


def wave(*shape, by=0.9):
    return torch.sin(torch.arange(float(torch.Size(shape).numel())) * by + by).reshape(shape)


def rounded(x):
    return [round(v, 4) for v in x.flatten().tolist()]


net = Net()
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(wave(*p.shape, by=0.5 + 0.1 * i))
x, y = wave(6, 3), wave(6, 1, by=0.4)
"""
BIRTHS = {
    "a shallow copy": "twin = copy.copy(module)",
    "without a constructor": "twin = type(module).__new__(type(module)); twin.__dict__ = dict(module.__dict__)",
}
CHANGED = """
twin = twin_of(net)
before = rounded(net(x))
for part in twin.modules():
    for name, p in part._parameters.items():
        part._parameters[name] = p * 0.5
twin._buffers["shift"] = torch.zeros(1)
print(before, rounded(twin(x)), rounded(net(x)))
twin(x).square().sum().backward()
print([round(p.grad.sum().item(), 4) for p in net.parameters()])
print([n for n, _ in twin.named_parameters()], [n for n, _ in twin.named_buffers() if "num_batches" not in n])
"""
ADAPTED = """
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(2):
    twin = twin_of(net)
    held = [(part, name) for part in twin.modules() for name, p in part._parameters.items()]
    weights = [p for part in twin.modules() for p in part._parameters.values()]
    inner = F.mse_loss(twin(x), y)
    grads = torch.autograd.grad(inner, weights, create_graph=True)
    for (part, name), w, g in zip(held, weights, grads):
        part._parameters[name] = w - 0.1 * g
    loss = F.mse_loss(twin(x + 0.3), y.cos())
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(round(inner.item(), 4), round(loss.item(), 4))
print([round(p.sum().item(), 3) for p in net.parameters()])
"""


@pytest.mark.frameworks
@pytest.mark.parametrize("born", BIRTHS.values(), ids=BIRTHS)
def test_a_copy_goes_on_with_its_own(born: str, tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM.replace("BORN", born) + CHANGED)
    assert theirs.replace("-0.0", "0.0") == ours.replace("-0.0", "0.0")


@pytest.mark.frameworks
def test_weights_that_a_copy_holds_are_adapted_and_gone_back_through(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM.replace("BORN", BIRTHS["a shallow copy"]).replace("BatchNorm1d", "LayerNorm") + ADAPTED)
    assert theirs == ours
