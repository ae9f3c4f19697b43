"""Derivatives by dictionaries and lists inside of what is differentiated: meta learning by torch.func."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from mindport.convert import convert
from mindport.source.discover import discover
from tests.convert.both_sides import printed_by_both

SETTING = """
import torch
from torch import nn
from torch.func import functional_call, grad, grad_and_value, jvp, vjp, vmap


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(2, 3), nn.Linear(3, 1)
        self.register_buffer("scale", torch.tensor([1.0, 0.5]))

    def forward(self, x):
        return self.second(torch.tanh(self.first(x * self.scale)))


net = Net()
with torch.no_grad():
    for k, p in enumerate(net.parameters()):
        p.copy_(torch.sin(torch.arange(p.numel()) * 0.9 + k).reshape(p.shape) * 0.5)
X = torch.arange(8.0).cos().view(4, 2)
Y = X.sum(1, keepdim=True).sin()


def loss(params, x, y):
    return ((functional_call(net, params, (x,)) - y) ** 2).mean()


def shown(row):
    return [t.tolist() for t in row.values()]
"""
DICTIONARIES = SETTING + """
def adapted(params, buffers, x, y):
    f = lambda p: ((functional_call(net, (p, buffers), (x,)) - y) ** 2).mean()
    for _ in range(2):
        g, value = grad_and_value(f)(params)
        params = {k: params[k] - 0.2 * g[k] for k in params}
    return params


def outer(params, buffers):
    return loss(adapted(params, buffers, X[:2], Y[:2]), X[2:], Y[2:])


def slope(params, rate):
    f = lambda x: functional_call(net, params, (x,)).sum()
    return ((grad(f)(X) * rate["rate"]) ** 2).sum()


def frozen(head, rest):
    g = grad(lambda a, b: loss({**a, **b}, X, Y))(head, rest)
    return loss({**{k: head[k] - 0.2 * g[k] for k in head}, **rest}, X, Y)


params = {k: p.detach().clone() for k, p in net.named_parameters()}
head, rest = {k: p for k, p in params.items() if "second" in k}, {k: p for k, p in params.items() if "first" in k}
print([
    shown(grad(outer)(params, dict(net.named_buffers()))), shown(grad(slope)(params, {"rate": torch.tensor(0.5)})), shown(grad(frozen)(head, rest)),
    shown(jvp(grad(lambda p: loss(p, X, Y)), (params,), ({k: torch.ones_like(p) for k, p in params.items()},))[1]),
    shown(vjp(loss, params, X, Y)[1](torch.tensor(2.0))[0]), shown(grad(lambda p: sum(vmap(lambda x, y: grad(loss)(p, x[None], y[None])["second.bias"])(X, Y)).sum())(params)),
])
"""
LISTS = """
import torch
from torch.func import grad


def inner(row, x):
    return ((x @ row[0]).tanh() @ row[1]).square().mean()


def outer(row, x, rates):
    return inner([p - r * g for p, r, g in zip(row, rates, grad(inner)(row, x))], x)


row = [torch.arange(6.0).sin().view(2, 3), torch.arange(3.0).cos()]
x = torch.arange(8.0).cos().view(4, 2)
found = grad(outer, argnums=(0, 2))(row, x, [torch.tensor(0.1), torch.tensor(0.3)])
print([[t.tolist() for t in part] for part in found])
"""
#: A step that goes back by `backward` through them; with `critic`, to another module than the one that adapts.
STEPS = SETTING + """
critic = nn.Linear(2, 1)
with torch.no_grad():
    critic.weight.copy_(torch.tensor([[0.4, -0.3]]))
    critic.bias.fill_(0.1)
opt = torch.optim.SGD([*net.parameters(), *critic.parameters()], lr=0.1)


def learned(params, x, y):
    return critic(torch.cat([functional_call(net, params, (x,)), y], 1)).square().mean()


for _ in range(2):
    params = dict(net.named_parameters())
    g = grad(learned)(params, X[:2], Y[:2])
    total = loss({k: p - 0.2 * g[k] for k, p in params.items()}, X[2:], Y[2:])
    opt.zero_grad()
    total.backward()
    opt.step()
print([t.tolist() for module in (net, critic) for p in module.parameters() for t in (p, p.grad)])
"""


def flat(value: object) -> list[float]:
    """The numbers of lists in lists."""
    return [number for part in value for number in flat(part)] if isinstance(value, list) else [value]  # type: ignore[list-item]


@pytest.mark.frameworks
@pytest.mark.parametrize("program", [DICTIONARIES, LISTS, STEPS], ids=["dictionaries", "lists", "steps"])
def test_they_are_differentiated_again(tmp_path: Path, program: str) -> None:
    theirs, ours = printed_by_both(tmp_path, program)
    np.testing.assert_allclose(flat(json.loads(ours)), flat(json.loads(theirs)), rtol=1e-4, atol=1e-6)


def test_one_that_nothing_differentiates_stays(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(SETTING + "g = grad(loss)(dict(net.named_parameters()), X, Y)\n")
    conversion = convert(discover(tmp_path))
    assert conversion.vendored is not None
    assert "run_backward" not in conversion.files[conversion.vendored]


#: A helper that calls itself, of functions that read other leaves from around them.
ORDERS = """
import torch
from torch import nn


def gradients(u, x, order=1):
    if order == 1:
        return torch.autograd.grad(u, x, grad_outputs=torch.ones_like(u), create_graph=True)[0]
    return gradients(gradients(u, x), x, order=order - 1)


net = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1))
with torch.no_grad():
    for k, p in enumerate(net.parameters()):
        p.copy_(torch.sin(torch.arange(p.numel()) * 0.9 + k).reshape(p.shape) * 0.5)
opt = torch.optim.SGD(net.parameters(), lr=0.1)


def residual(u):
    x = torch.arange(4.0).sin().view(4, 1).requires_grad_(True)
    y = torch.arange(4.0).cos().view(4, 1).requires_grad_(True)
    out = u(torch.cat([x, y], dim=1))
    return (gradients(out, x, 2) - gradients(out, y, 3) * x + gradients(gradients(out, x), y)).square().mean()


for _ in range(2):
    opt.zero_grad()
    loss = residual(net)
    loss.backward()
    opt.step()
print([loss.item(), [[t.tolist() for t in (p, p.grad)] for p in net.parameters() if p.grad is not None]])
"""


#: The same of leaves by names of the file.
NAMED = (
    ORDERS.replace("def residual(u):\n", "").replace("    x = torch", "x = torch").replace("    y = torch", "y = torch")
    .replace("    out = u(", "\n\ndef residual(u):\n    out = u(")
)


@pytest.mark.frameworks
@pytest.mark.parametrize("program", [ORDERS, NAMED], ids=["held", "named"])
def test_a_helper_that_calls_itself(tmp_path: Path, program: str) -> None:
    theirs, ours = printed_by_both(tmp_path, program)
    np.testing.assert_allclose(flat(json.loads(ours)), flat(json.loads(theirs)), rtol=1e-4, atol=1e-6)
