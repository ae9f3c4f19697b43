"""What a step computes by functions that it hands on, objects, containers and names that others fill belongs to its forward pass: left outside of it, a network would be trained by nothing, without an error."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.convert.both_sides import printed_by_both

HEAD = '''import collections
import contextlib
import functools
import heapq
import itertools
import torch
from dataclasses import dataclass
from torch import nn
from torch.nn.utils import parameters_to_vector


@dataclass
class Out:
    data: torch.Tensor


class Bag:
    def __init__(self, value):
        self.value = value

    def item(self):
        return self.value


class Memory:
    def __init__(self):
        self.items = []

    def push(self, y):
        self.items.append(y)

    def all(self):
        return torch.stack(self.items)


class Rows:
    def __init__(self, net, xs):
        self.net, self.xs = net, xs

    def __getitem__(self, i):
        return self.net(self.xs[i])

    def __iter__(self):
        for x in self.xs:
            yield self.net(x)

    def __matmul__(self, x):
        return self.net(x)

    def __enter__(self):
        return self.net(self.xs)

    def __exit__(self, *problem):
        return False

    @property
    def out(self):
        return self.net(self.xs)


class Holder:
    pass


class Chain(nn.Sequential):
    pass


HELD, STORE = Holder(), []


@contextlib.contextmanager
def computed(net, x):
    yield net(x)


def leave(net, x):
    HELD.seen = net(x)
    STORE.append(net(x))


def taken():
    return HELD.seen + STORE.pop()


def fill(module, shift):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_((torch.sin(torch.arange(p.numel()).float() + shift) * 0.5).reshape(p.shape))
    return module
'''

STEP = '''

def {name}():
    net, head, xs = fill(nn.Linear(3, 2), 0), fill(nn.Linear(2, 2), 1), torch.cos(torch.arange(12.0)).reshape(4, 3)
    opt = torch.optim.SGD([*net.parameters(), *head.parameters()], lr=0.1)
    for _ in range(2):
        opt.zero_grad()
{body}
        loss = (head(out) ** 2).mean() + {more}
        loss.backward()
        opt.step()
    print("{name}", *["%.5f" % v for p in net.parameters() for v in p.flatten().tolist()], "%.5f" % loss.item())


{name}()
'''

OUTPUTS = {
    "mapped": "out = torch.stack(list(map(net, xs)))",
    "mapped_lambda": "out = torch.stack([y for y in map(lambda x: net.weight @ x, xs)])",
    "reduced": "out = functools.reduce(lambda a, x: a + net(x), xs, torch.zeros(2))",
    "starred": "out = torch.stack(list(itertools.starmap(lambda i, x: net(x) * i, enumerate(xs))))",
    "accumulated": "out = list(itertools.accumulate(xs, lambda a, x: a + net.weight.sum(0) * x))[-1][:2]",
    "one_by_one": "it = iter(map(lambda x: net(x), xs))\nout = next(it) + next(it).pow(2)",
    "listed_parameters": "ps = list(net.parameters())\nout = xs @ ps[0].T + ps[1]",
    "items": "rows = Rows(net, xs)\nout = torch.stack([rows[i] for i in range(4)])",
    "gone_through": "out = torch.stack(list(Rows(net, xs)))",
    "property_of": "rows = Rows(net, xs)\nout = rows.out",
    "operator_of": "rows = Rows(net, xs)\nout = rows @ xs",
    "entered": "with Rows(net, xs) as h:\n    out = h * 2",
    "context": "with computed(net, xs) as h:\n    out = h * 2",
    "field": "made = Out(data=net(xs))\nout = made.data",
    "method_named_item": "bag = Bag(net(xs))\nout = bag.item()",
    "pushed": "memory = Memory()\nfor x in xs:\n    memory.push(net(x))\nout = memory.all()",
    "left_for_another": "leave(net, xs)\nout = taken()",
    "appended_in_lists": "rows = [[], []]\nfor i, x in enumerate(xs):\n    rows[i % 2].append(net(x))\nout = torch.stack(rows[0] + rows[1])",
    "set_by_default": "rows = {}\nfor i, x in enumerate(xs):\n    rows.setdefault(i % 2, []).append(net(x))\nout = torch.stack(sum(rows.values(), []))",
    "appended_inside": "rows = []\n[rows.append(net(x)) for x in xs]\nout = torch.stack(rows)",
    "appended_by_lambda": "rows = []\nlist(map(lambda x: rows.append(net(x)), xs))\nout = torch.stack(rows)",
    "by_name": 'held = Holder()\nsetattr(held, "h", net(xs))\nout = held.h',
    "derived_container": "chain = Chain(net)\nout = chain(xs)",
}
PENALTIES = {
    "vector": "penalty = parameters_to_vector(net.parameters()).pow(2).sum()",
    "norms": "penalty = sum(map(torch.norm, net.parameters()))",
    "sums": "penalty = functools.reduce(lambda a, p: a + p.abs().sum(), net.parameters(), 0.0)",
    "mapped_sums": "penalty = sum(map(lambda p: p.abs().sum(), net.parameters()))",
    "by_its_name": 'penalty = getattr(net, "weight").pow(2).sum() + dict(net.named_parameters())["bias"].pow(2).sum()',
    "first_of_all": "penalty = next(net.parameters()).pow(2).sum()",
    "imported_inside": "from torch.nn.utils import parameters_to_vector as flat\npenalty = flat(net.parameters()).pow(2).sum()",
    "own_dictionary": 'penalty = net._parameters["weight"].pow(2).sum()',
    "total_norm": "penalty = nn.utils.get_total_norm(list(net.parameters()))",
}


def _steps() -> str:
    bodies = {name: (body, "0") for name, body in OUTPUTS.items()} | {name: (f"{body}\nout = xs[:, :2]", "0.1 * penalty") for name, body in PENALTIES.items()}
    return "".join(STEP.format(name=name, body="\n".join(f"        {line}" for line in body.split("\n")), more=more) for name, (body, more) in bodies.items())


@pytest.mark.frameworks
def test_all_of_it_is_differentiated(tmp_path: Path) -> None:
    expected, found = (text.split("\n") for text in printed_by_both(tmp_path, HEAD + _steps()))
    text = (tmp_path / "after" / "program.py").read_text()
    assert text.count("value_and_grad(forward") + text.count("value_and_gradients(forward") == len(OUTPUTS) + len(PENALTIES)  # as functions: the tape records whatever runs
    for one, other in zip(expected, found, strict=True):
        assert one.split()[:1] == other.split()[:1]
        np.testing.assert_allclose([float(v) for v in other.split()[1:]], [float(v) for v in one.split()[1:]], atol=2e-5, err_msg=one[:30])
