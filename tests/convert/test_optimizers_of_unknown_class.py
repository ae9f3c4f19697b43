"""An optimizer whose class nothing shows, in a project that has one of its own: it need not list its parameters as MindSpore's do."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import printed_by_both

_PROGRAM = """import torch


class Steps:
    def __init__(self, params, lr):
        self.held, self.lr = list(params), lr

    def zero_grad(self):
        for p in self.held:
            p.grad = None

    def step(self):
        with torch.no_grad():
            for p in self.held:
                p -= self.lr * p.grad


net = torch.nn.Linear(2, 1)
for k, p in enumerate(net.parameters()):
    torch.nn.init.constant_(p, 0.1 * (k + 1))
opt = globals()["St" + "eps"](net.parameters(), 0.1)
for step in range(2):
    loss = net(torch.tensor([[1.0, 2.0]])).pow(2).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(round(loss.item(), 5))
"""


@pytest.mark.frameworks
def test_it_trains(tmp_path: Path) -> None:
    expected, actual = printed_by_both(tmp_path, _PROGRAM)
    assert actual == expected
