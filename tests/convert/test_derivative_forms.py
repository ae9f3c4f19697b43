"""Derivatives as people write them become statements of functions, and compute what torch's do."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.convert.derivative_forms import as_statements
from mindport.inference import Project
from mindport.source.discover import discover
from mindport.source.file import SourceFile
from tests.convert.both_sides import printed_by_both

IMPORTS = "from functools import partial\nimport torch\nfrom torch.autograd import grad\n"


def written(text: str) -> str:
    """A text behind the imports, with its derivatives in statements."""
    file = SourceFile.of(IMPORTS + text)
    return as_statements([file], Project([file]))[0][0].text.removeprefix(IMPORTS)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "def f(u, x):\n    return sum(grad(u[:, i].sum(), x, create_graph=True)[0][:, i] for i in range(3))  # trace\n",
            "def f(u, x):\n    parts = []\n    for i in range(3):\n        parts.append(grad(u[:, i].sum(), x, create_graph=True)[0][:, i])\n    return sum(parts)  # trace\n",
        ),
        (
            "def f(u, x):\n    i = 2\n    rows = [grad(u[i].sum(), x, create_graph=True)[0] for i in u if i]  # rows\n    return rows, i\n",
            "def f(u, x):\n    i = 2\n    rows = []  # rows\n    for i_2 in u:\n        if i_2:\n            rows.append(grad(u[i_2].sum(), x, create_graph=True)[0])\n    return rows, i\n",
        ),
        (
            "def f(u, x):\n    both = [\n        # rows\n        grad(u[i].sum(), x, create_graph=True)[0]\n        for i in range(3)\n    ]\n    return both\n",
            "def f(u, x):\n    # rows\n    both = []\n    for i in range(3):\n        both.append(grad(u[i].sum(), x, create_graph=True)[0])\n    return both\n",
        ),
        ("D = lambda y, x: grad(y.sum(), x, create_graph=True)[0]  # D\n", "\n\ndef D(y, x): return grad(y.sum(), x, create_graph=True)[0]  # D\n"),
        ("D = (\n    lambda y, x:\n        grad(y.sum(), x, create_graph=True)[0]\n)\n", "\n\ndef D(y, x): return (\n\n        grad(y.sum(), x, create_graph=True)[0]\n)\n"),
        ("d = partial(grad, create_graph=True)\nz = d(a, b)\n", "\n\ndef d(outputs, inputs): return grad(outputs, inputs, create_graph=True)\n\n\nz = d(a, b)\n"),
        (
            "def f(u, x, t):\n    a, b = [grad(u, v, create_graph=True)[0] for v in (x, t)]\n    return {n: grad(u, v, create_graph=True)[0] for n, v in {'x': x, 't': t}.items()}\n",
            "def f(u, x, t):\n    a, b = [grad(u, x, create_graph=True)[0], grad(u, t, create_graph=True)[0]]\n    return {'x': grad(u, x, create_graph=True)[0], 't': grad(u, t, create_graph=True)[0]}\n",
        ),
        (
            "def f(u, ps):\n    for g in grad(u, ps, create_graph=True):  # each\n        print(g)\n    return sum(g.sum() for g in grad(u, ps, create_graph=True))\n",
            "def f(u, ps):\n    slopes = grad(u, ps, create_graph=True)\n    for g in slopes:  # each\n        print(g)\n    slopes_2 = grad(u, ps, create_graph=True)\n    return sum(g.sum() for g in slopes_2)\n",
        ),
        (
            "def f(u, x):\n    for i, c in enumerate(u.unbind(1)):\n        print(grad(c.sum(), x, create_graph=True)[0])\n",
            "def f(u, x):\n    components = u.unbind(1)\n    for i in range(len(components)):\n        c = components[i]\n        print(grad(c.sum(), x, create_graph=True)[0])\n",
        ),
        (
            "def f(net, x):\n    def d(y): return grad(y.sum(), x, create_graph=True)[0]\n    return d(d(net(x)))\n",
            "def f(net, x):\n    def d(x, y): return grad(y.sum(), x, create_graph=True)[0]\n    return d(x, d(x, net(x)))\n",
        ),
        (
            "class A:\n    def f(self, x):\n        self.u = net(\n            x)  # u\n        return grad(self.u, x, create_graph=True)[0], self.u\n",
            "class A:\n    def f(self, x):\n        u = net(\n            x)  # u\n        self.u = u\n        return grad(u, x, create_graph=True)[0], self.u\n",
        ),
        (
            "def f(x, u, v, a):\n    g = grad([u, v], x, [a, None], create_graph=True)[0]\n    return g, grad((u, v), x, create_graph=True)[0]\n",
            "def f(x, u, v, a):\n    g = grad(((u) * (a)).sum() + (v), x, None, create_graph=True)[0]\n    return g, grad(u + v, x, create_graph=True)[0]\n",
        ),
        (
            "def f(net, load):\n    batch = load()\n    u = net(batch['x'])\n    return grad(u.sum(), batch['x'], create_graph=True)[0], batch['y']\n",
            "def f(net, load):\n    batch = load()\n    x = batch[\"x\"]\n    u = net(x)\n    return grad(u.sum(), x, create_graph=True)[0], batch['y']\n",
        ),
        (  # a text in a text of the same quotes, and another x: not written out
            "def f(u, x, t):\n    return {f'{n}': grad(u(lambda x: v), v, create_graph=True)[0] for n, v in (('x', x), ('t', t))}\n",
            "def f(u, x, t):\n    parts = {}\n    for n, v in (('x', x), ('t', t)):\n        parts[f'{n}'] = grad(u(lambda x: v), v, create_graph=True)[0]\n    return parts\n",
        ),
    ],
)
def test_forms(before: str, after: str) -> None:
    assert written(before) == after


@pytest.mark.parametrize(
    "text",
    [
        "def f(u, x, c):\n    return u if c else sum(grad(u[i], x, create_graph=True)[0] for i in range(3))\n",  # perhaps not at all
        "def f(u, x, c):\n    return c.pop(), [grad(u[i], x, create_graph=True)[0] for i in c]\n",  # something is done before
        "def f(u, x):\n    return next(grad(u[i], x, create_graph=True)[0] for i in range(3))\n",  # not all of it
        "def f(u, x):\n    return [grad(x[i], x, create_graph=True)[0] for x in x.parts]\n",  # one name for two
        "class A:\n    d = lambda y, x: grad(y, x, create_graph=True)[0]\n",  # would be a method
        "def f(u, x):\n    return sum(grad(u[i], x)[0] for i in range(3))\n",  # not differentiated again
        "def f(net, x):\n    def d(y): return grad(y, x, create_graph=True)[0]\n    return map(d, net(x))\n",  # handed on
        "d = partial(grad, create_graph=True)\nz = map(d, a, b)\n",
        "def f(net, load):\n    batch = load()\n    prepare(batch)\n    return grad(net(batch['x']), batch['x'], create_graph=True)[0]\n",  # may change the table
        "def f(net, load):\n    batch = load()\n    if 'x' in batch:\n        return grad(net(batch['x']), batch['x'], create_graph=True)[0]\n",  # may not be there
        "class A:\n    def f(self, x):\n        self.u = net(x)\n        if x.n:\n            self.u = x\n        return grad(self.u, x, create_graph=True)[0]\n",  # one of two
    ],
)
def test_what_stays(text: str) -> None:
    assert written(text) == text


def test_places_are_those_of_the_user(tmp_path: Path) -> None:
    text = IMPORTS + "def f(u, x):\n    return [\n        grad(u[i].sum(), x.held, create_graph=True)[0]\n        for i in range(3)\n    ]\ntorch.nowhere(1)\n"
    (tmp_path / "a.py").write_text(text, encoding="utf-8")
    found = {(finding.code, finding.span.line, finding.span.column) for finding in convert(discover(tmp_path)).findings if finding.span is not None}
    assert ("MP101", 9, 0) in found
    assert any(code == "MP401" and line == 6 for code, line, _ in found)


BOTH_SIDES = """
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.autograd import grad

D = lambda y, x: grad(y.sum(), x, create_graph=True)[0]


def divergence(v, x):
    return sum(grad(c.sum(), x, create_graph=True)[0][:, i] for i, c in enumerate(v.unbind(1)))


def hessian(y, x):
    g = D(y, x)
    return torch.stack([grad(g[:, k].sum(), x, create_graph=True)[0] for k in range(x.shape[1])], 1)


def penalty(loss, model):
    names, params = zip(*model.named_parameters())
    found = dict(zip(names, grad(loss, params, create_graph=True)))
    return sum(v.pow(2).sum() for k, v in found.items() if "weight" in k)


def filled(net):
    with torch.no_grad():
        for k, p in enumerate(net.parameters()):
            p.copy_(0.5 * torch.sin(torch.arange(p.numel()).float() + k).reshape(p.shape))
    return net


class Tasks(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk, self.heads = nn.Linear(2, 4), nn.ModuleList([nn.Linear(4, 1), nn.Linear(4, 1)])

    def forward(self, x):
        h = torch.tanh(self.trunk(x))
        return [head(h) for head in self.heads]


PARTS
"""


@pytest.mark.parametrize(
    "parts",
    [
        """
net = filled(nn.Sequential(nn.Linear(2, 5), nn.Tanh(), nn.Linear(5, 2)))
points = torch.sin(torch.arange(8).float()).reshape(4, 2)
x = points.clone().requires_grad_()
v = net(x)
loss = divergence(v, x).pow(2).mean() + hessian(v[:, :1], x).pow(2).mean() + v.pow(2).mean()
loss.backward()
print([round(p.grad.norm().item(), 4) for p in net.parameters()])
""",
        # on the tape: a part of a derivative by parameters is handed functions, which are no tensors
        """
net = filled(nn.Sequential(nn.Linear(2, 5), nn.Tanh(), nn.Linear(5, 2)))
points = torch.sin(torch.arange(8).float()).reshape(4, 2)
out = net(points)
loss = F.mse_loss(out, points)
x = points.clone().requires_grad_()
total = loss + penalty(loss, net) + hessian(net(x)[:, :1], x).pow(2).mean()
total.backward()
print([round(p.grad.norm().item(), 4) for p in net.parameters()])
""",
        # one parameter alone, and one that the losses are weighed by: it is not made anew
        """
net, x = filled(Tasks()), torch.sin(torch.arange(8).float()).reshape(4, 2)
weights = nn.Parameter(torch.ones(2))
with torch.no_grad():
    weights.add_(0.5)
for _ in range(2):
    losses = torch.stack([o.pow(2).mean() for o in net(x)])
    norms = torch.stack([grad(weights[i] * losses[i], net.trunk.weight, create_graph=True)[0].norm() for i in range(2)])
    (norms.prod() + (weights * losses).sum()).backward()
    print([round(n.item(), 4) for n in norms], [round(g, 4) for g in weights.grad.tolist()], round(net.trunk.weight.grad.norm().item(), 4))
""",
    ],
)
def test_both_sides(tmp_path: Path, parts: str) -> None:
    theirs, ours = printed_by_both(tmp_path, BOTH_SIDES.replace("PARTS", parts))
    assert theirs == ours
