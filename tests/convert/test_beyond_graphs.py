"""Steps that make objects of tensors, or call methods of classes, go by MindSpore's tape: no graph does."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover
from tests.convert.both_sides import printed_by_both

PROGRAM = """
import torch
import torch.nn as nn
from jets import jet

net = nn.Linear(2, 1)
with torch.no_grad():
    net.weight.copy_(torch.tensor([[0.3, -0.2]]))
    net.bias.fill_(0.1)
x = torch.sin(torch.arange(6.0)).reshape(3, 2).requires_grad_()
j = jet(net, x)
loss = (j.du.norm(dim=1) - 1).pow(2).mean() + j.u.pow(2).mean()
loss.backward()
print(round(loss.item(), 4), [round(g, 4) for g in net.weight.grad[0].tolist()], round(net.bias.grad.item(), 4))
# ==== jets.py
import torch
from collections import namedtuple
from dataclasses import dataclass
from types import SimpleNamespace
from typing import NamedTuple

MADE
# its call stands on a line that the other file does not have
#
#
#
#
#
#
#
#
#
#
#
#


def jet(net, x):
    u = torch.tanh(net(x))
    return Jet(u=u, du=torch.autograd.grad(u.sum(), x, create_graph=True)[0])
"""


@pytest.mark.parametrize(
    "made",
    [
        "@dataclass\nclass Jet:\n    u: torch.Tensor\n    du: torch.Tensor",
        "class Jet(NamedTuple):\n    u: torch.Tensor\n    du: torch.Tensor",
        'Jet = namedtuple("Jet", ["u", "du"])',
        "class Jet:\n    def __init__(self, u, du):\n        self.u, self.du = u, du",
        "Jet = SimpleNamespace",
    ],
)
def test_both_sides(made: str, tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM.replace("MADE", made))
    assert theirs == ours


def test_what_is_made_of_constants_alone_is_compiled(tmp_path: Path) -> None:
    text = PROGRAM.replace("MADE", "class Order:\n    def __init__(self, n):\n        self.n = n").replace("    return Jet(u=u, du=", "    Order(2)\n    return (u, ").replace("[0])\n", "[0])\n")
    first, _, second = text.partition("# ==== jets.py\n")
    (tmp_path / "program.py").write_text(first.replace("j.du", "j[1]").replace("j.u", "j[0]"), encoding="utf-8")
    (tmp_path / "jets.py").write_text(second, encoding="utf-8")
    assert not [finding for finding in convert(discover(tmp_path)).findings if finding.code == "MP403"]


def test_a_method_of_a_class(tmp_path: Path) -> None:
    text = PROGRAM.replace("MADE", "class Slopes:\n    scale = 2.0\n\n    @classmethod\n    def of(cls, u, x):\n        return cls.scale * torch.autograd.grad(u.sum(), x, create_graph=True)[0]")
    text = text.replace("return Jet(u=u, du=torch.autograd.grad(u.sum(), x, create_graph=True)[0])", "return u, Slopes.of(u, x)").replace("j.du", "j[1]").replace("j.u", "j[0]")
    theirs, ours = printed_by_both(tmp_path, text)
    assert theirs == ours
