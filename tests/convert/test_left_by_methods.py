"""A loss by a method that reads what another method left: the gradient goes back through the call that left it, by name or elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import converted_script, printed_by_both

PROGRAM = """\
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(3, 4)
        self.b = nn.Linear(4, 1)
        for p in self.parameters():
            p.data.fill_(0.1)

    def forward(self, x):
        self.features = self.a(x)

    def encode(self, x):
        self.features = self.a(x)

    def cost(self, y):
        self.rebuilt = self.b(self.features)
        return ((self.rebuilt - y) ** 2).sum()


class Holder:
    def __init__(self, net):
        self.net = net

    def see(self, x):
        self.seen = self.net.a(x)

    def cost(self, y):
        return ((self.net.b(self.seen) - y) ** 2).sum()


def trained(kind):
    net = Net()
    holder = Holder(net)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
    for step in range(3):
        x, y = torch.ones(2, 3), torch.ones(2, 1)
        if kind == "elsewhere":
            holder.see(x)
            loss = outside(holder, optimizer, y)
            continue
        LEFT
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return round(loss.item(), 3)


def outside(holder, optimizer, y):
    loss = holder.cost(y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss


print(trained("here"))
"""

WAYS = {"forward": "net.forward(x)\n        loss = net.cost(y)", "method": "net.encode(x)\n        loss = net.cost(y)", "holder": "holder.see(x)\n        loss = holder.cost(y)"}
ELSEWHERE = PROGRAM.replace('trained("here")', 'trained("elsewhere")').replace("LEFT", WAYS["method"])


@pytest.mark.parametrize("way", WAYS)
def test_the_call_moves_into_the_step(tmp_path: Path, way: str) -> None:
    text = converted_script(tmp_path, PROGRAM[: PROGRAM.index("def outside")].replace("outside(", "print(").replace("LEFT", WAYS[way]))
    call, cost = WAYS[way].replace("net.forward", "net.construct").split("\n")
    assert f"        {call}\n        return {cost.strip().removeprefix('loss = ')}\n" in text and "MP403" not in text


@pytest.mark.frameworks
def test_both_sides_train_alike(tmp_path: Path) -> None:
    before, after = printed_by_both(tmp_path, ELSEWHERE)
    assert before == after == "0.804\n"


@pytest.mark.frameworks
def test_of_an_object_that_nothing_shows(tmp_path: Path) -> None:
    unseen = ELSEWHERE.replace("outside(holder, optimizer, y)\n            continue", 'globals()["out" + "side"](holder, optimizer, y)\n            continue')
    before, after = printed_by_both(tmp_path, unseen)
    assert before == after == "0.804\n"
