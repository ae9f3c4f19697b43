"""Terms of a loss that a compiled step adds up by ``+=`` and gives back, in a dictionary, too: they keep their values and keys."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import printed_by_both

_PROGRAM = """import torch
from torch import nn


def slope(net, x):
    x = x.clone().requires_grad_(True)
    return torch.autograd.grad(net(x).sum(), x, create_graph=True)[0]


def terms(net, x):
    out = net(x)
    return {"fit": (out - 1).pow(2).mean(), "slope": slope(net, x).pow(2).mean()}


net = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1))
for k, p in enumerate(net.parameters()):
    nn.init.constant_(p, 0.2 * (k + 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.tensor([[1.0, 2.0], [-1.0, 0.5]])
for step in range(2):
    losses = terms(net, x)
    total = {start}
    for name, term in losses.items():
        total += term
    loss = total + 0.5 * losses["fit"]
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(round(loss.item(), 3), {name: round(term.item(), 3) for name, term in losses.items()}, [round(p.sum().item(), 3) for p in net.parameters()])
"""


@pytest.mark.frameworks
@pytest.mark.parametrize("start", ["0.0", "0", "1.0 * losses['slope']"])
def test_terms_are_what_they_were(tmp_path: Path, start: str) -> None:
    expected, actual = printed_by_both(tmp_path, _PROGRAM.replace("{start}", start))
    assert actual == expected
