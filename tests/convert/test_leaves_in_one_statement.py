"""``a, b = a.requires_grad_(), b.requires_grad_()``: two leaves in one statement (cached gradients of embeddings)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import printed_by_both

START = """
import numpy as np
import torch
from torch import nn

net = nn.Linear(3, 2)
with torch.no_grad():
    net.weight.copy_(torch.from_numpy(np.random.RandomState(0).randn(2, 3)))
    net.bias.zero_()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.arange(12.0).view(4, 3) / 10
"""
CACHED = (
    START
    + """
for step in range(3):
    with torch.no_grad():
        a, b = net(x), net(x + 1)
    a, b = a.requires_grad_(), b.requires_grad_(True)
    loss = (a - 2 * b).pow(2).mean()
    loss.backward()
    opt.zero_grad()
    for given, grad in ((x, a.grad), (x + 1, b.grad)):
        (net(given) * grad).sum().backward()
    opt.step()
    print("%.2f %.2f" % (loss.item(), net.weight.grad.norm().item()))
"""
)
HANDED = (
    START
    + """
def sensitivity(u, v):
    u, [v, w] = u.clone().requires_grad_(), [v.clone().requires_grad_(), torch.ones(3, requires_grad=True)]
    return u


def both(u, v):
    u, v = v.clone().requires_grad_(), u.clone().requires_grad_()
    (net(u) * net(v).tanh()).sum().backward()
    return u.grad, v.grad


for g in both(x, x * 2):
    print(["%.5f" % n for n in g.norm(dim=1).tolist()])
print(sensitivity(x, x).shape[0])
"""
)
#: A leaf's name that loops and comprehensions bind anew is no leaf there.
BOUND_ANEW = """import numpy as np
import torch
from torch import nn


def main():
    net = nn.Linear(3, 1)
    with torch.no_grad():
        net.weight.copy_(torch.tensor([[0.1, -0.2, 0.3]])); net.bias.zero_()
    data = [(torch.arange(6.0).view(2, 3) / (i + 2), torch.ones(2, 1) * i) for i in range(3)]
    x, w = data[0][0].clone().requires_grad_(), torch.ones(3, requires_grad=True)
    (net(x) * w[0]).pow(2).sum().backward()
    print(["%.5f" % v for v in x.grad.flatten().tolist()], "%.5f" % w.grad[0].item())
    opt = torch.optim.SGD(net.parameters(), lr=0.05)
    for epoch in range(2):
        for x, y in data:
            loss = (net(x) - y).pow(2).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            print("%.5f" % loss.item())
    loss = sum((net(x) - y).pow(2).mean() for x, y in data)
    opt.zero_grad()
    loss.backward()
    print("%.4f" % net.weight.grad.norm().item())


main()
"""


@pytest.mark.frameworks
@pytest.mark.parametrize("program", [CACHED, HANDED, BOUND_ANEW], ids=["cached", "in a function", "bound anew"])
def test_both_have_gradients(tmp_path: Path, program: str) -> None:
    theirs, ours = printed_by_both(tmp_path, program)
    assert theirs == ours
