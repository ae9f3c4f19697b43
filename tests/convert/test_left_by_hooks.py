"""A loss made of what forward hooks left: its gradient goes back through the forward pass that ran them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides, converted_script, seen_by_graphs

PROGRAM = """import torch
from torch import nn

kept = {}


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second, self.last = nn.Linear(3, 4), nn.Linear(4, 4), nn.Linear(4, 2)
        with torch.no_grad():
            for i, p in enumerate(self.parameters()):
                p.copy_(torch.cos(torch.arange(p.numel(), dtype=torch.float32) + i).view_as(p))

    def forward(self, x):
        return self.last(torch.tanh(self.second(torch.tanh(self.first(x)))))


def keep(name):
    def hook(module, inputs, output):
        kept[name] = output

    return hook


def put(store, key):
    def hook(module, inputs, output):
        store[key] = output * 2

    return hook


class Saver:
    def __init__(self, layer):
        self.seen, self.latest = [], None
        self.handle = layer.register_forward_hook(self.save)

    def save(self, module, inputs, output):
        self.latest = output

    def __call__(self, module, inputs, output):
        self.seen.append(output)


def by_name(net, x):
    net.second.register_forward_hook(keep("second"))
    optimizer, log = torch.optim.SGD(net.parameters(), lr=0.05), []
    for step in range(3):
        optimizer.zero_grad()
        net(x)
        act = kept["second"]
        loss = act.pow(2).mean() + 0.1 * net.first.weight.abs().sum()
        loss.backward()
        optimizer.step()
        log.append(loss.item())
    return log


def by_attribute(net, x):
    saver = Saver(net.first)
    optimizer, log = torch.optim.SGD(net.parameters(), lr=0.05), []
    for step in range(3):
        optimizer.zero_grad()
        out = net(x)
        loss = saver.latest.pow(2).mean() + 0.1 * net.second.weight.abs().sum()
        loss.backward()
        optimizer.step()
        log += [loss.item(), out.sum().item()]
    return log


def by_call(net, x):
    saver = Saver(net.last)
    net.second.register_forward_hook(saver)
    optimizer, log = torch.optim.SGD(net.parameters(), lr=0.05), []
    for step in range(3):
        optimizer.zero_grad()
        saver.seen.clear()
        net(x)
        net(2 * x)
        a, b = saver.seen
        loss = (a - b).pow(2).mean() + 0.1 * net.first.weight.abs().sum()
        loss.backward()
        optimizer.step()
        log.append(loss.item())
    return log


def by_argument(net, x):
    feats = {}
    net.second.register_forward_hook(put(feats, "b"))
    optimizer, log = torch.optim.SGD(net.parameters(), lr=0.05), []
    for step in range(3):
        optimizer.zero_grad()
        net(x)
        loss = feats["b"].pow(2).mean() + 0.1 * net.first.weight.abs().sum()
        loss.backward()
        optimizer.step()
        log.append(loss.item())
    return log


def twice(net, x):
    net.second.register_forward_hook(keep("twice"))
    optimizer, log = torch.optim.SGD(net.parameters(), lr=0.05), []
    for step in range(3):
        out = net(x)
        loss = out.pow(2).mean() + kept["twice"].abs().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        net.zero_grad()
        net(x)
        more = sum(v.pow(2).mean() for v in kept.values())
        more.backward()
        optimizer.step()
        log += [loss.item(), more.item()]
    return log


def run_through(net, x):
    return net(x).detach()


def elsewhere(net, x):
    net.second.register_forward_hook(keep("other"))
    optimizer, log = torch.optim.SGD(net.parameters(), lr=0.05), []
    for step in range(3):
        optimizer.zero_grad()
        shown = run_through(net, x)
        loss = kept["other"].pow(2).mean() + 0.1 * net.first.weight.abs().sum()
        loss.backward()
        optimizer.step()
        log += [loss.item(), shown.sum().item()]
    return log


def run(name):
    return globals()[name](Net(), torch.linspace(-1, 1, 6).reshape(2, 3))
"""
FORMS = ("by_name", "by_attribute", "by_call", "by_argument", "twice", "elsewhere")


@pytest.mark.frameworks
@pytest.mark.parametrize("name", FORMS)
def test_both_sides_go_the_same_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    lines = PROGRAM.split("def ")
    program = "def ".join(part for part in lines if not part.startswith(tuple(f"{form}(" for form in FORMS if form != name)))
    torch_side, mindspore_side = both_sides(tmp_path, program)
    seen_by_graphs(mindspore_side, monkeypatch)
    assert mindspore_side.run(name) == pytest.approx(torch_side.run(name), rel=1e-5)


def test_what_a_hook_detaches_is_no_part_of_the_step(tmp_path: Path) -> None:
    text = converted_script(tmp_path, PROGRAM.replace("kept[name] = output", "kept[name] = output.detach()"))
    assert "net(x)\n        act = kept" in text and "def forward():\n        net(x)\n        act" not in text
