"""What is put into a part of a container is in the container: a loss that reads it there goes back through it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides, seen_by_graphs

PROGRAM = """import torch
from torch import nn


def net_of():
    net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
    with torch.no_grad():
        for i, p in enumerate(net.parameters()):
            p.copy_(torch.cos(torch.arange(p.numel(), dtype=torch.float32) + i).view_as(p))
    return net


def data(n):
    return [{"x": torch.linspace(-1, k + 1, 6).reshape(2, 3), "t": float(k)} for k in range(n)]


def in_turn(net, optimizer):
    places, seen = data(3), []
    for step in range(3):
        for place in places[:2]:
            place["loss"] = (net(place["x"]) - place["t"]).pow(2).mean()
        mean = torch.stack([places[0]["loss"], places[1]["loss"]]).mean()
        decay = torch.tensor(0.0)
        for w in net.parameters():
            decay += w.pow(2).sum()
        loss = mean + 0.01 * decay
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        seen += [mean.item(), places[1]["loss"].item()]
    return seen


def by_another_name(net, optimizer):
    places, seen = {"a": data(1)[0], "b": data(2)[1]}, []
    for step in range(3):
        first = places["a"]
        first["loss"] = net(first["x"]).pow(2).mean()
        for name, place in places.items():
            if name == "b":
                place["loss"] = net(place["x"]).abs().mean()
        decay = 0.01 * sum(w.pow(2).sum() for w in net.parameters())
        total = places["a"]["loss"] + places["b"]["loss"]
        optimizer.zero_grad()
        (total + decay).backward()
        optimizer.step()
        seen.append(total.item())
    return seen


def in_a_list(net, optimizer):
    rows, seen = [[], []], []
    for step in range(3):
        for row, place in zip(rows, data(2)):
            row.clear()
            row.append(net(place["x"]).pow(2).mean())
        kept = rows[0][0] + 2 * rows[1][0]
        decay = 0.01 * sum(w.pow(2).sum() for w in net.parameters())
        loss = kept + decay
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        seen.append(loss.item())
    return seen


def run(name):
    net = net_of()
    return globals()[name](net, torch.optim.SGD(net.parameters(), lr=0.05))
"""


@pytest.mark.frameworks
@pytest.mark.parametrize("name", ["in_turn", "by_another_name", "in_a_list"])
def test_both_sides_go_the_same_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, PROGRAM)
    seen_by_graphs(mindspore_side, monkeypatch)
    assert mindspore_side.run(name) == pytest.approx(torch_side.run(name), rel=1e-5)
