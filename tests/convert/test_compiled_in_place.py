"""``net.compile(…)`` goes, as ``torch.compile`` does: MindSpore's method of that name wants an input, and compiles for real."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import printed_by_both

PROGRAM = """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(2, 2)
        nn.init.constant_(self.inner.weight, 0.5)
        nn.init.constant_(self.inner.bias, 0.25)

    def forward(self, x):
        return self.inner(x)


class Learner(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = Net()

    def compile(self, rate, **options):
        self.rate = rate
        self.net.compile(**options)
        return self

    def quick(self):
        super().compile(backend="eager")
        return self


def prepared(net, fast):
    if fast:
        net.compile(mode="default", backend="eager")
    return net


learner = Learner().compile(0.5, backend="eager").quick()
opt = torch.optim.SGD(learner.parameters(), lr=learner.rate)
x = torch.ones(3, 2)
for net in (learner.net, prepared(learner.net.inner, True)):
    opt.zero_grad()
    loss = net(x).pow(2).mean() + net(2 * x).mean()
    loss.backward()
    opt.step()
    print("%.4f" % loss.item(), ["%.4f" % v for v in learner.net.inner.weight.flatten().tolist()])
print(learner.net.inner.compile(backend="eager"), learner.rate)
"""


@pytest.mark.frameworks
def test_a_module_that_compiles_itself_computes_what_it_did(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    assert ours == theirs
    assert theirs.endswith("None 0.5\n") or theirs.endswith("None 0.5")
