"""An optimizer holds some of a module's parameters: the rest has gradients, too, for who clips or reads those of the whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import converted_script, printed_by_both

PROGRAM = """
import torch
from torch import nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(4, 5), nn.Linear(5, 3)
        with torch.no_grad():
            for p in (*self.a.parameters(), *self.b.parameters()):
                p.copy_(torch.sin(torch.arange(p.numel()).float()).reshape(p.shape) * 0.5)

    def forward(self, x):
        return self.b(torch.tanh(self.a(x)))


class Weights(Net):
    def named_parameters(self, prefix="", recurse=True, remove_duplicate=True):
        for n, p in super().named_parameters(prefix, recurse, remove_duplicate):
            if p.ndim > 1:
                yield n, p


def chosen(net):
    for n, p in net.named_parameters():
        if "a." in n:
            yield p


def listed(net):
    head = []
    for n, p in net.named_parameters():
        if not p.requires_grad:
            continue
        if n.startswith("b"):
            head.append(p)
    return torch.optim.SGD(head, lr=1.0)


def made(params):
    return torch.optim.SGD(params, lr=1.0)


x, y = torch.cos(torch.arange(32.0)).view(8, 4), torch.arange(8) % 3


def run(make, net):
    opt = make(net)
    for _ in range(2):
        opt.zero_grad()
        loss = F.cross_entropy(net(x), y)
        loss.backward()
        norm = nn.utils.clip_grad_norm_([*net.a.parameters(), *net.b.parameters()], 0.05)
        opt.step()
        print(round(loss.item(), 3), round(norm.item(), 3))


run(lambda net: torch.optim.SGD([p for n, p in net.named_parameters() if n.startswith("b")], lr=1.0), Net())
run(lambda net: torch.optim.SGD(chosen(net), lr=1.0), Net())
run(lambda net: torch.optim.SGD([net.a.weight], lr=1.0), Net())
run(listed, Net())
run(lambda net: made([p for n, p in net.named_parameters() if n.startswith("b")]), Net())
run(lambda net: torch.optim.SGD(filter(lambda p: p.ndim > 1, net.parameters()), lr=1.0), Net())
run(lambda net: torch.optim.SGD(net.parameters(), lr=1.0), Weights())
print(len(list(Weights().parameters())), len(list(Net().parameters())))
"""

STEP = """import torch
from torch import nn

net = nn.Linear(2, 1)
{made}


def step(x):
    opt.zero_grad()
    loss = net(x).sum()
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    opt.step()


step(torch.ones(3, 2))
"""


HANDED = """import torch
from torch import nn


def made(params):
    return torch.optim.SGD(params, lr=0.1)


net = nn.Linear(2, 1)
opt = made({given})
opt.zero_grad()
net(torch.ones(3, 2)).sum().backward()
nn.utils.clip_grad_norm_(net.parameters(), 1.0)
opt.step()
"""


@pytest.mark.parametrize(("given", "more"), [("[p for n, p in net.named_parameters() if 'bias' in n]", True), ("net.parameters()", False)])
def test_a_list_that_is_handed_on(tmp_path: Path, given: str, more: bool) -> None:
    assert ("get_parameters" in converted_script(tmp_path, HANDED.format(given=given))) is more


@pytest.mark.frameworks
def test_gradients_of_the_rest(tmp_path: Path) -> None:
    """The norm left out what the optimizer did not hold, so that steps were clipped less than in torch."""
    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    assert ours == theirs


@pytest.mark.parametrize(
    "made",
    [
        "opt = torch.optim.SGD([p for p in net.parameters() if p.requires_grad], lr=0.1)",
        "opt = torch.optim.SGD(filter(lambda p: p.requires_grad, net.parameters()), lr=0.1)",
        "groups = [{'params': [p for n, p in net.named_parameters() if 'bias' in n]}, {'params': [p for n, p in net.named_parameters() if 'bias' not in n]}]\nopt = torch.optim.SGD(groups, lr=0.1)",
        "opt = torch.optim.SGD([{'params': [p for n, p in net.named_parameters() if not any(k in n for k in ['b'])]}, {'params': [p for n, p in net.named_parameters() if any(k in n for k in ['b'])]}], lr=0.1)",
        "opt = torch.optim.SGD([{'params': [p for p in net.parameters() if p.dim() >= 2]}, {'params': [p for p in net.parameters() if p.dim() < 2], 'lr': 0.2}], lr=0.1)",
        "rows, rest = [], []\nfor n, p in net.named_parameters():\n    if not p.requires_grad:\n        continue\n    if 'bias' in n:\n        rows.append(p)\n    else:\n        rest.append(p)\nopt = torch.optim.SGD([{'params': rows}, {'params': rest}], lr=0.1)",
    ],
)
def test_a_choice_that_is_the_whole(tmp_path: Path, made: str) -> None:
    assert "get_parameters" not in converted_script(tmp_path, STEP.format(made=made))
