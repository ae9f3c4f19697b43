"""What a step gets of a module by a property, a descriptor, an item, an operator or a loop is part of its loss, as what a call gives."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import printed_by_both

_PROGRAM = """import torch
from torch import nn


class Base(nn.Module):
    def __init__(self):
        super().__init__()
        self.mid = nn.Parameter(torch.ones(3))
        self.scale = nn.Parameter(torch.zeros(2))


def cost(p):
    return p.pow(2).sum(), p > 1


class Raised:
    def __init__(self, of):
        self.of = of

    def __get__(self, obj, owner=None):
        return getattr(obj, self.of).exp()


class Net(Base):
    {member}


net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(2):
    {read}
    near, hit = cost(p)
    loss = near + net.scale.exp().sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(round(loss.item(), 3), [round(p.sum().item(), 3) for p in net.parameters()])
"""


@pytest.mark.frameworks
@pytest.mark.parametrize(
    ("member", "read"),
    [
        ("@property\n    def path(self): return torch.cat([self.mid, self.mid])", "p = net.path"),
        ("path = property(lambda self: self.mid * 2)", "p = net.path"),
        ("path = Raised('mid')", "p = net.path"),
        ("def __getattr__(self, name): return self.mid * 2 if name == 'path' else super().__getattr__(name)", "p = net.path"),
        ("def __getitem__(self, i): return self.mid * i", "p = net[2]"),
        ("def __rmul__(self, i): return self.mid * i", "p = 3 * net"),
        ("def __iter__(self): yield self.mid * 2", "(p,) = net"),
        ("def __iter__(self): yield self.mid * 2", "for p in net: pass"),
    ],
)
def test_it_trains_what_it_reads(tmp_path: Path, member: str, read: str) -> None:
    expected, actual = printed_by_both(tmp_path, _PROGRAM.replace("{member}", member).replace("{read}", read))
    assert actual == expected
