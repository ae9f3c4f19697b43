"""Losses by methods and functions inside that read what a forward pass was kept in."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import converted_script, printed_by_both

HEAD = """import torch
import torch.nn as nn
from torch import optim


class Two(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(3, 2)
        nn.init.constant_(self.a.weight, 0.3)
        nn.init.constant_(self.a.bias, 0.1)

    def forward(self, x):
        return self.a(x), x.sum()


class Model:
    def __init__(self):
        self.encoder = Two()
        self.scale = 2.0
        self.optimizer = optim.SGD(self.encoder.parameters(), 0.1)

    def total(self):
        return (self.mu ** 2).sum() * self.weight()

    def weight(self):
        return self.scale

    def trained(self, loss):
        return round(loss.item(), 3), round(self.encoder.a.weight.sum().item(), 3)
"""

#: Each beside a term whose own gradient there is, as only the rest would be missing.
STEPS = {
    "stored in the same function": """
    def step(self, x):
        self.mu, rest = self.encoder(x)
        self.optimizer.zero_grad()
        loss = self.total() + (self.encoder.a.weight ** 2).sum()
        loss.backward()
        self.optimizer.step()
        return self.trained(loss)
""",
    "stored by another method": """
    def encode(self, x):
        self.mu, self.rest = self.encoder(x)

    def step(self, x):
        self.encode(x)
        self.optimizer.zero_grad()
        loss = self.total() + (self.encoder.a.weight ** 2).sum()
        loss.backward()
        self.optimizer.step()
        return self.trained(loss)
""",
    "read by a function inside": """
    def step(self, x):
        mu, rest = self.encoder(x)

        def total():
            return (mu ** 2).sum()

        self.optimizer.zero_grad()
        loss = total() + (self.encoder.a.weight ** 2).sum()
        loss.backward()
        self.optimizer.step()
        return self.trained(loss)
""",
}


@pytest.mark.frameworks
@pytest.mark.parametrize("name", STEPS)
def test_the_gradient_goes_back_through_what_is_kept(tmp_path: Path, name: str) -> None:
    theirs, ours = printed_by_both(tmp_path, f"{HEAD}{STEPS[name]}\n\nmodel = Model()\nprint([model.step(torch.ones(2, 3)) for _ in range(3)])\n")
    assert ours == theirs


def test_what_a_method_reads_that_carries_nothing_stays_outside(tmp_path: Path) -> None:
    step = """
    def step(self, x):
        self.scale = x.mean().item()
        self.optimizer.zero_grad()
        mu, rest = self.encoder(x)
        loss = (mu ** 2).sum() * self.weight()
        loss.backward()
        self.optimizer.step()
        return self.trained(loss)
"""
    text = converted_script(tmp_path, HEAD + step)
    assert "value_and_gradients(forward" in text
    assert text.index("self.scale = x.mean()") < text.index("def forward(x)")
