"""``p.data = value``: whoever holds the parameter's old memory keeps it, and the new one is shared, as in torch."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest

from tests.convert.both_sides import both_sides, converted_script, seen_by_graphs

PROGRAM = """
import torch
from torch import nn
import torch.nn.functional as F

x = torch.sin(torch.arange(12.0)).reshape(4, 3)
y = torch.cos(torch.arange(8.0)).reshape(4, 2)


def made():
    net = nn.Linear(3, 2)
    with torch.no_grad():
        net.weight.copy_(torch.arange(6.0).reshape(2, 3) / 10)
        net.bias.zero_()
    return net


class Averaged:
    def __init__(self, net):
        self.net = net
        self.mean = {name: p.data.clone() for name, p in net.named_parameters()}
        self.kept = {}

    def update(self):
        for name, p in self.net.named_parameters():
            self.mean[name] = 0.5 * self.mean[name] + 0.5 * p.data

    def enter(self):
        for name, p in self.net.named_parameters():
            self.kept[name] = p.data
            p.data = self.mean[name]

    def leave(self):
        for name, p in self.net.named_parameters():
            p.data = self.kept[name]


def averaged():
    net = made()
    mean = Averaged(net)
    optimizer = torch.optim.Adam(net.parameters(), lr=0.05)
    told = []
    for step in range(4):
        loss = F.mse_loss(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        mean.update()
        mean.enter()
        told.append(F.mse_loss(net(x), y).detach())
        mean.leave()
        told.append(F.mse_loss(net(x), y).detach())
    return told


def shared():
    net = made()
    start = [torch.zeros_like(p) + 0.25 for p in net.parameters()]
    for p, first in zip(net.parameters(), start):
        p.data = first
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    F.mse_loss(net(x), y).backward()
    optimizer.step()
    return [first.sum() for first in start] + [p.detach().sum() for p in net.parameters()]


def held_by_name():
    net = made()
    old = net.weight.data
    net.weight.data = old * 3
    return [old.sum(), net.weight.detach().sum()]


def narrowed():
    net = made()
    net.weight.data = net.weight.data[torch.tensor([1])]


def transposed():
    net = nn.Linear(3, 3, bias=False)
    table = torch.arange(9.0).reshape(3, 3) / 9
    net.weight.data = table.t()
    with torch.no_grad():
        net.weight.mul_(2)
    return [net(x).detach()]


def doubled():
    net = made()
    for p in net.parameters():
        p.data = p.data.double()
    return [net(x.double()).detach().float(), torch.tensor(float(net.weight.dtype == torch.float64))]
"""


@pytest.mark.frameworks
@pytest.mark.parametrize("name", ["averaged", "shared", "held_by_name", "transposed", "doubled"])
def test_every_holder_sees_what_it_sees_in_torch(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    theirs, ours = both_sides(tmp_path, PROGRAM)
    seen_by_graphs(ours, monkeypatch)
    for wanted, found in zip(getattr(theirs, name)(), getattr(ours, name)(), strict=True):
        assert found.asnumpy() == pytest.approx(wanted.numpy(), rel=1e-5, abs=1e-6)


@pytest.mark.frameworks
def test_another_shape_is_refused(tmp_path: Path) -> None:
    _, ours = both_sides(tmp_path, PROGRAM)
    with pytest.raises(NotImplementedError, match="another shape"):
        ours.narrowed()


@pytest.mark.frameworks
def test_in_graph_mode_compiled_steps_see_the_values_and_the_copy_is_said() -> None:
    ms = pytest.importorskip("mindspore", reason="compares the frameworks")
    given_memory = importlib.import_module("mindport.equivalents.given_memory")
    net, x = ms.nn.Dense(2, 1, has_bias=False), ms.Tensor([[1.0, 1.0]])

    def forward(value: Any) -> Any:
        return net(value).sum()

    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        step = ms.value_and_grad(forward, None, net.trainable_params())
        step(x)
        with pytest.warns(UserWarning, match="copies"):
            given_memory.give_memory(net.weight, ms.Tensor([[3.0, 4.0]]))
        assert float(step(x)[0]) == 7.0
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def test_beside_compiled_steps_the_values_are_copied_into_the_memory_that_these_know(tmp_path: Path) -> None:
    text = converted_script(
        tmp_path,
        "import torch\nfrom torch import nn\nnet = nn.Linear(3, 2)\n\n\ndef reset(values):\n    net.weight.data = values.clone()\n\n\n"
        "def penalty(x):\n    x.requires_grad_()\n    (g,) = torch.autograd.grad(net(x).sum(), x, create_graph=True)\n    return g.pow(2).sum()\n",
    )
    assert "take_values(net.weight, values.copy())" in text or "take_values(net.weight, Tensor.copy(values))" in text
    assert "give_memory" not in text
