"""Gradients that are read of what a module has and no optimizer holds: they were None where an optimizer was known."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import printed_by_both

pytestmark = pytest.mark.frameworks
PROGRAM = """
import torch
from torch import nn


class Holder:
    def __init__(self):
        self.inner = nn.Linear(2, 2, bias=False)
        nn.init.constant_(self.inner.weight, 0.5)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)
        nn.init.constant_(self.fc.weight, 0.25)
        nn.init.zeros_(self.fc.bias)
        self.alpha = torch.ones(1, requires_grad=True)
        self.rows = [nn.Parameter(torch.ones(2)) for _ in range(2)]
        self.held = Holder()

    def forward(self, x):
        return self.held.inner(self.fc(x)) * self.alpha * self.rows[0] + self.rows[1]


net = Net()
optimizer = torch.optim.SGD(GIVEN, lr=0.125)
x = torch.arange(6.0).reshape(2, 3)
for _ in range(2):
    optimizer.zero_grad()
    loss = net(x).mean()
    loss.backward()
    optimizer.step()
    print(loss.item(), READ)
"""
READ = {
    "attribute": "net.alpha.grad.tolist()",
    "rows": "[w.grad.tolist() for w in net.rows]",
    "object": "net.held.inner.weight.grad.tolist()",
}


@pytest.mark.parametrize("name", READ)
def test_they_are_there(tmp_path: Path, name: str) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM.replace("GIVEN", "net.parameters()").replace("READ", READ[name]))
    assert ours == theirs and "[" in theirs


@pytest.mark.parametrize("name", READ)
def test_an_optimizer_may_hold_them(tmp_path: Path, name: str) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM.replace("GIVEN", "[net.alpha, *net.rows, *net.held.inner.parameters(), *net.parameters()]").replace("READ", READ[name]))
    assert ours == theirs and "[" in theirs


def test_what_an_optimizer_holds_leaves_the_step_a_function(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM.replace("GIVEN", "[*net.rows, *net.parameters()]").replace("READ", READ["rows"]))
    assert ours == theirs
    assert "value_and_gradients(" in (tmp_path / "after" / "program.py").read_text()
