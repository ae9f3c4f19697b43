"""What is read of a gradient that is not there raises AttributeError where the program catches it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import converted_script, printed_by_both

PROGRAM = """
import torch
from torch import nn


class Gate(nn.Module):
    def __init__(self):
        super().__init__()
        self.alpha = nn.Parameter(torch.ones(2))
        self.gate = nn.Parameter(torch.ones(2))

    def forward(self, x, use):
        y = x * self.alpha
        return y * self.gate if use else y

    def by_data(self):
        g = self.gate.grad.data
        self.alpha.grad = g

    def by_detach(self):
        g = self.gate.grad.detach()
        self.alpha.grad = g


net = Gate()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for use in (True, False):
    opt.zero_grad()
    net(torch.ones(3, 2), use).sum().backward()
    for f in (net.by_data, net.by_detach):
        try:
            f()
        except AttributeError:
            print("no gradient")
    opt.step()
    print(["%.4f" % v for v in net.alpha.tolist()], ["%.4f" % v for v in net.gate.tolist()])
"""


@pytest.mark.frameworks
def test_a_gradient_of_none_has_no_data(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    assert ours == theirs
    assert theirs.count("no gradient") == 2


def test_a_project_that_catches_nothing_is_written_as_before(tmp_path: Path) -> None:
    text = converted_script(tmp_path, "import torch\n\ndef kept(p: torch.nn.Parameter):\n    g = p.grad.data\n    return g\n")
    assert "given" not in text
