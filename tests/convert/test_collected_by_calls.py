"""Values that calls collect beside their results, wherever they leave them: the loss goes back through those calls, too, and not through the rest of it alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import converted_script, printed_by_both

HEAD = """import functools
from types import SimpleNamespace
import torch
from torch import nn


def begun():
    net = nn.Linear(3, 2)
    with torch.no_grad():
        net.weight.copy_(torch.arange(6.).reshape(2, 3) * 0.1)
        net.bias.zero_()
    return net


def ended(name, net, loss):
    print(name, round(loss.item(), 4), [round(v, 4) for v in net.weight.flatten().tolist()])


xs = torch.cos(torch.arange(12.)).reshape(4, 3)


class Buffer:
    def __init__(self):
        self.kept = {"v": []}

    def push(self, value):
        rows = self.kept["v"]
        rows.append(value)


class Base:
    def __init__(self, net):
        self.net, self.values, self.buffer = net, [], Buffer()

    def keep(self, value):
        self.values.append(value)


class Agent(Base):
    def act(self, x):
        logits, value = self.net(x)
        self.keep(logits)
        self.buffer.push(value)
        setattr(self, f"last{0}", logits)
        return float(logits) > 0, 1

    def __call__(self, x):
        self.act(x)
        return 0

    @property
    def total(self):
        return torch.stack(self.values).sum()


def collector(net):
    inner = []

    def act(x):
        inner.append(net(x).sum())
        return 1

    return act, inner


def play(net, x, out):
    first, second = net(x)
    out.append(first * second)
    return 1


seen = []


def noted(function):
    @functools.wraps(function)
    def inner(*args):
        found = function(*args)
        seen.append(found[1])
        return found

    return inner


@noted
def run(net, x):
    return net(x)


"""
#: What is done before the loss, and the loss; each also has a term that a module gives in the loss itself, so that nothing is missed by its absence.
CASES = {
    "in_a_loop_that_binds": ("agent, n = Agent(net), 0\n    for x in xs:\n        moved, k = agent.act(x)\n        n += k", "sum(agent.values) / n"),
    "in_a_while": ("agent, n = Agent(net), 0\n    while n < 3:\n        n += agent.act(xs[n])[1]", "agent.total / n"),
    "of_a_buffer_by_a_name": ("agent = Agent(net)\n    if len(xs) > 1:\n        print(abs(agent(xs[0])))\n    kept = agent.buffer.kept", "sum(kept['v'])"),
    "in_an_expression": ("agent = Agent(net)\n    moved = [agent.act(x)[1] for x in xs]", "agent.last0 * len(moved) + agent.total"),
    "by_map": ("agent = Agent(net)\n    n = len(list(map(agent.act, xs)))", "agent.total / n"),
    "around_a_function": ("act, outer = collector(net)\n    n = 0\n    for x in xs:\n        n += act(x)", "sum(outer) / n"),
    "in_what_is_given": ("mine = []\n    for x in xs:\n        n = play(net, x, mine)", "sum(mine) / n"),
    "by_a_decorator": ("seen.clear()\n    for x in xs:\n        run(net, x)", "sum(seen)"),
}


def program(cases: dict[str, tuple[str, str]]) -> str:
    steps = [
        f"def {name}():\n    net = begun()\n    opt = torch.optim.SGD(net.parameters(), lr=0.1)\n    {before}\n    loss = {loss} + 0.1 * net(xs).pow(2).mean()\n    loss.backward()\n    opt.step()\n    ended('{name}', net, loss)\n\n\n{name}()\n\n\n"
        for name, (before, loss) in cases.items()
    ]
    return HEAD + "".join(steps)


@pytest.mark.parametrize("name", CASES)
def test_the_calls_move_into_the_step(tmp_path: Path, name: str) -> None:
    text = converted_script(tmp_path, program({name: CASES[name]}))
    step = text[text.index(f"def {name}") :]
    call = next(line.strip() for line in CASES[name][0].splitlines()[::-1] if "(" in line)
    assert step.index("def forward") < step.index(call)


@pytest.mark.frameworks
def test_gradients_of_what_was_collected(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, program(CASES))
    assert ours == theirs


def test_what_is_collected_without_gradients_stays_outside(tmp_path: Path) -> None:
    before = "agent = Agent(net)\n    with torch.no_grad():\n        for x in xs:\n            agent.act(x)"
    text = converted_script(tmp_path, program({"cut_off": (before, "agent.total")}))
    step = text[text.index("def cut_off") :]
    assert step.index("agent.act(x)") < step.index("def forward")


#: Attributes that have names of containers' methods.
NAMES = HEAD + """class Keeping(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(3, 4), nn.Linear(4, 1)
        self.items = []
        for p in self.parameters():
            p.data.copy_(torch.sin(torch.arange(p.numel()).float()).reshape(p.shape))

    def forward(self, x):
        h = self.a(x)
        self.items.append(h.pow(2).mean())
        self.values = h
        return self.b(h)


def trained(net, opt, weights):
    for step in range(2):
        opt.zero_grad()
        net.items.clear()
        for x in xs:
            net(x)
        loss = sum(net.items) * sum(weights.values()) + net.values.abs().sum() + 0.1 * net.b(torch.ones(4)).sum()
        loss.backward()
        opt.step()
        print(round(loss.item(), 4), [round(p.sum().item(), 4) for p in net.parameters()])


net = Keeping()
trained(net, torch.optim.SGD(net.parameters(), lr=0.1), {"one": 0.5})
"""


@pytest.mark.frameworks
def test_attributes_with_names_of_containers_methods(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, NAMES)
    assert ours == theirs


def test_a_collector_of_another_file(tmp_path: Path) -> None:
    """What a function gives back beside the closure that fills it has its name where the function is called, in whichever file."""
    program = """import torch
from parts import begun, collector, ended, xs

net = begun()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(2):
    act, seen = collector(net)
    for x in xs:
        act(x)
    loss = -torch.stack(seen).sum() + net.bias.pow(2).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    ended("collector", net, loss)
"""
    theirs, ours = printed_by_both(tmp_path, f"{program}# ==== parts.py\n{HEAD}")
    assert ours == theirs
