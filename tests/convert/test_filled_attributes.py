"""A forward pass whose result nobody takes, and a loss made of what it left in its modules."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides, converted_script, seen_by_graphs

PROGRAM = """import torch
from torch import nn, optim


class Keep(nn.Module):
    def __init__(self, target):
        super().__init__()
        self.target = target

    def forward(self, x):
        self.loss = ((x - self.target) ** 2).mean()
        return x


def build():
    keeps = [Keep(0.3), Keep(-0.2)]
    model = nn.Sequential(nn.Linear(4, 2), keeps[0], nn.Linear(2, 3), keeps[1])
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.linspace(-0.5, 0.4, p.numel()).view_as(p))
    return model, keeps


def run():
    model, keeps = build()
    picture = torch.linspace(-1, 1, 8).reshape(2, 4).requires_grad_(True)
    optimizer = optim.SGD([picture], lr=0.5)
    losses = []
    for step in range(4):
        optimizer.zero_grad()
        model(picture)
        score = 0
        for keep in keeps:
            score += keep.loss
        loss = 10 * score + picture.abs().mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


losses = run()
"""


def test_the_call_belongs_to_what_is_differentiated(tmp_path: Path) -> None:
    text = converted_script(tmp_path, PROGRAM)
    assert "def forward():\n        model(picture)\n        score = 0" in text


def test_a_call_that_leaves_nothing_the_loss_reads_stays(tmp_path: Path) -> None:
    text = converted_script(tmp_path, PROGRAM.replace("self.loss =", "self.seen =").replace("keep.loss", "((keep(picture) - 1) ** 2).mean()"))
    assert "model(picture)\n" in text and "def forward():\n        model(picture)" not in text


@pytest.mark.frameworks
def test_both_sides_go_the_same_way(tmp_path: Path) -> None:
    torch, mindspore = both_sides(tmp_path, PROGRAM)
    assert torch.losses[-1] < torch.losses[0]
    assert max(abs(a - b) for a, b in zip(torch.losses, mindspore.losses, strict=True)) < 1e-5


KEPT = """import torch
from torch import nn


class Stage(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.f, self.outputs = nn.Linear(i, o), []

    def forward(self, x):
        self.outputs.append(torch.tanh(self.f(x)))
        self.peak = self.outputs[-1].max()
        return self.outputs[-1]


class Notes:
    current = None

    def __init__(self):
        self.entries = {}

    def __enter__(self):
        Notes.current = self
        return self

    def __exit__(self, *problem):
        Notes.current = None

    @classmethod
    def add(cls, name, value):
        if cls.current is not None:
            cls.current.entries[name] = value


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.stages = nn.ModuleList([Stage(3, 4), Stage(4, 2)])
        with torch.no_grad():
            for i, p in enumerate(self.parameters()):
                p.copy_(torch.cos(torch.arange(p.numel(), dtype=torch.float32) + i).view_as(p))

    def forward(self, x):
        for stage in self.stages:
            stage.outputs.clear()
            x = stage(x)
        Notes.add("size", x.pow(2).mean())
        return x

    def inner_losses(self):
        return [stage.outputs[-1].pow(2).mean() for stage in self.stages]


def look(net, x):
    return net(x).argmax(1)


def in_lists(net, optimizer, x):
    net(x)
    loss = sum(net.inner_losses()) + 0.01 * net.stages[0].f.weight.abs().sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss


def by_a_function(net, optimizer, x):
    seen = look(net, x)
    loss = net.stages[1].peak + 0.01 * net.stages[0].f.weight.abs().sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss + seen.sum()


def in_notes(net, optimizer, x):
    with Notes() as notes:
        out = net(x)
        notes.add("mean", out.mean())
    optimizer.zero_grad()
    sum(notes.entries.values()).backward()
    optimizer.step()
    return notes.entries["size"]


def run(name):
    net = Net()
    optimizer, x = torch.optim.SGD(net.parameters(), lr=0.2), torch.linspace(-1, 1, 6).reshape(2, 3)
    return [globals()[name](net, optimizer, x).item() for step in range(3)]
"""
WAYS = ("in_lists", "by_a_function", "in_notes")


@pytest.mark.frameworks
@pytest.mark.parametrize("name", WAYS)
def test_what_a_forward_pass_keeps_has_gradients(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    parts = KEPT.split("\ndef ")
    torch_side, mindspore_side = both_sides(tmp_path, "\ndef ".join(part for part in parts if not part.startswith(tuple(f"{way}(" for way in WAYS if way != name))))
    seen_by_graphs(mindspore_side, monkeypatch)
    assert mindspore_side.run(name) == pytest.approx(torch_side.run(name), rel=1e-5)


def test_a_class_whose_source_is_not_there_may_be_a_module(tmp_path: Path) -> None:
    text = converted_script(
        tmp_path,
        "import torch\nfrom nets import Block\n\n\ndef main(data):\n    model = Block(6, 3)\n    optimizer = torch.optim.AdamW(model.parameters(), lr=0.02)\n"
        "    for x, y in data:\n        loss = (model(x) - y).pow(2).mean()\n        optimizer.zero_grad()\n        loss.backward()\n        optimizer.step()\n",
    )
    assert "backward(" not in text and "def forward(x, y):" in text
