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


@pytest.mark.frameworks
@pytest.mark.parametrize("program", [CACHED, HANDED], ids=["cached", "in a function"])
def test_both_have_gradients(tmp_path: Path, program: str) -> None:
    theirs, ours = printed_by_both(tmp_path, program)
    assert theirs == ours
