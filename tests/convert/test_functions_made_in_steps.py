"""A function that a step makes, and that reads what the step has computed: the loss goes back through it, wherever it is called."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.convert.both_sides import printed_by_both

pytestmark = pytest.mark.frameworks
PROGRAM = """
import json
import torch
from torch import nn
from torch.func import jacrev

x = torch.arange(1.0, 4.0) * 0.4
hyper = nn.Linear(3, 3)
with torch.no_grad():
    for p in hyper.parameters():
        p.copy_(torch.sin(torch.arange(float(p.numel()))).reshape(p.shape))
opt = torch.optim.SGD(hyper.parameters(), lr=0.1)
found = []


def twice(g, v):
    return g(g(v))


for _ in range(2):
    opt.zero_grad()
    w = hyper(x)
    MADE
    loss = LOSS
    loss.backward()
    opt.step()
    found.append([loss.item(), *[p.detach().sum().item() for p in hyper.parameters()]])
print(json.dumps(found))
"""
DEFINED = "def f(v):\n        return (w * v).sin()"
BOUND = "f = lambda v: (w * v).sin()"
LOSSES = {
    "called": "f(x).pow(2).sum()",
    "beside another term": "f(x).pow(2).sum() + hyper.bias.pow(2).sum()",
    "handed on": "twice(f, x).sum()",
    "mapped": "sum(map(f, x)).pow(2).sum()",
    "in a display": "sum([f(v).pow(2).sum() for v in x])",
}


@pytest.mark.parametrize("made", [DEFINED, BOUND], ids=["defined", "bound"])
@pytest.mark.parametrize("name", LOSSES)
def test_the_loss_goes_back_through_them(tmp_path: Path, name: str, made: str) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM.replace("MADE", made).replace("LOSS", LOSSES[name]))
    np.testing.assert_allclose(json.loads(ours), json.loads(theirs), rtol=2e-5, atol=1e-6)


HELD = {
    "in a list": ("fs = [lambda v: w * v]", "fs[0](x)"),
    "in a dictionary, bound before what it reads": ("table = {'f': lambda v: w * v}\n    w = hyper(x)", "table['f'](x)"),
    "put into a dictionary": ("table = {}\n    table.update(f=lambda v: w * v)", "table['f'](x)"),
    "a partial": ("f = partial(torch.mul, w)", "f(x)"),
    "made by another": ("f = scaled(w)", "f(x)"),
    "made of another": ("f = compose(lambda v: w * v, torch.sin)", "f(x)"),
    "a default": ("fs = [lambda v, w=w: w * v for _ in range(2)]", "fs[1](x)"),
    "an object": ("f = Scale(w)", "f(x)"),
    "a method of an object": ("f = Scale(w).times", "f(x)"),
    "an attribute": ("bag = Bag()\n    bag.w = w\n    bag.f = lambda v: bag.w * v", "bag.f(x)"),
    "a method of a tensor": ("f = w.mul", "f(x)"),
    "a class": ("class Own:\n        def on(self, v):\n            return w * v", "Own().on(x)"),
    "a module that is given a function": ("m = Apply(lambda v: w * v)", "m(x)"),
    "a module that is given a tensor": ("m = Times(w)", "m(x)"),
    "a sequence of modules": ("m = nn.Sequential(Apply(lambda v: w * v), nn.Tanh())", "m(x)"),
    "a loss that a class without a constructor computes": ("square = Square()\n    s = square(w)", "s"),
}
HOLDERS = """
from functools import partial


def scaled(w):
    return lambda v: w * v


def compose(f, g):
    return lambda v: g(f(v))


class Bag:
    pass


class Scale:
    def __init__(self, w):
        self.w = w

    def times(self, v):
        return self.w * v

    __call__ = times


class Apply(nn.Module):
    def __init__(self, f):
        super().__init__()
        self.f = f

    def forward(self, v):
        return self.f(v)


class Times(nn.Module):
    def __init__(self, w):
        super().__init__()
        self.w = w

    def forward(self, v):
        return self.w * v


class Square(nn.Module):
    def forward(self, v):
        return v * v


def twice"""


@pytest.mark.parametrize("name", HELD)
def test_what_holds_them_belongs_to_the_loss(tmp_path: Path, name: str) -> None:
    """Beside a term that carries a gradient by itself: the function's was lost, without a word."""
    made, value = HELD[name]
    program = PROGRAM.replace("\ndef twice", HOLDERS).replace("MADE", made).replace("LOSS", f"{value}.pow(2).sum() + hyper.bias.pow(2).sum()")
    theirs, ours = printed_by_both(tmp_path, program)
    np.testing.assert_allclose(json.loads(ours), json.loads(theirs), rtol=2e-5, atol=1e-6)


TURNS = """
import json
import torch
from torch import nn


class Weighted:
    def __init__(self, k):
        self.k = k

    def __call__(self, a):
        return self.k * a.pow(2).sum()


x = torch.arange(1.0, 4.0) * 0.4
net = nn.Linear(3, 3)
with torch.no_grad():
    for p in net.parameters():
        p.copy_(torch.sin(torch.arange(float(p.numel()))).reshape(p.shape))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
found = []
for k in range(2):
    MADE
    opt.zero_grad()
    loss = LOSS
    loss.backward()
    opt.step()
    found.append([loss.item(), SEEN, *[p.detach().sum().item() for p in net.parameters()]])
print(json.dumps(found))
"""


@pytest.mark.parametrize(
    ("made", "loss", "seen"),
    [
        ("criterion = Weighted(k + 1)", "criterion(net(x))", "criterion.k"),
        ("terms = [Weighted(1), Weighted(k)]", "sum(t(net(x)) for t in terms)", "len(terms)"),
        ("criterion = [torch.sum, torch.mean][k]", "criterion(net(x))", "k"),
        ("y = net(x)\n    fs = [lambda v: y * v]", "fs[0](x).sum()", "fs[0](x).sum().item()"),
    ],
    ids=["an object", "a list of objects", "a function of torch", "read behind"],
)
def test_they_come_in_and_go_out(tmp_path: Path, made: str, loss: str, seen: str) -> None:
    """MindSpore's `value_and_grad` takes no object that can be called, and parses functions: it stopped."""
    theirs, ours = printed_by_both(tmp_path, TURNS.replace("MADE", made).replace("LOSS", loss).replace("SEEN", seen))
    np.testing.assert_allclose(json.loads(ours), json.loads(theirs), rtol=2e-5, atol=1e-6)


def test_a_jacobian_by_what_the_step_has_computed_is_refused(tmp_path: Path) -> None:
    """Compiled for itself it has no gradient by `w`; it was 0, without a word."""
    text = PROGRAM.replace("MADE", DEFINED).replace("LOSS", "jacrev(f)(x).pow(2).sum()")
    text = text.replace("for _ in range(2):", "def step():").replace("    found.append", "    return loss\n\n\ntry:\n    found.append").replace("[loss.item()", "[step().item()")
    theirs, ours = printed_by_both(tmp_path, text.replace("print(json", "except NotImplementedError as error:\n    found.append(str(error))\nprint(json"))
    assert len(json.loads(theirs)[0]) == 3
    assert "reads from around it" in json.loads(ours)[0]
