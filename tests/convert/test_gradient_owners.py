"""Whose gradients a step takes where no optimizer is named: modules that stand for something there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides

PROGRAM = """import torch
from torch import nn


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = nn.Parameter(torch.tensor(0.5))

    def forward(self, x):
        return x * self.gate


layers = nn.ModuleList([Scaled(), nn.ReLU(), Scaled()])
x = torch.arange(4.0)
h = x
for layer in layers:
    h = layer(h)
gates = [m.gate.item() for m in layers.modules() if isinstance(m, Scaled)]
named = {n: len(list(m.children())) for n, m in layers.named_modules()}
sizes = list(map(lambda m: len(list(m.parameters())), layers))
h.sum().backward()
first = layers[0].gate.grad
"""


@pytest.mark.frameworks
def test_names_of_comprehensions_are_none(tmp_path: Path) -> None:
    theirs, ours = both_sides(tmp_path, PROGRAM)
    assert ours.first.item() == theirs.first.item() == 3.0
    assert ours.x.tolist() == [0, 1, 2, 3]


OUTSIDE = """import torch
from torch import nn


class Net(nn.Module):
    gain = nn.Linear(1, 1, bias=False)

    def __init__(self):
        super().__init__()
        self.shift = torch.ones(2, requires_grad=True)
        self.layers = [nn.Linear(2, 1, bias=False)]
        self.fc = nn.Linear(1, 1, bias=False)

    def forward(self, x):
        return self.fc(self.gain(self.layers[0](x + self.shift)))


net = Net()
for weight in (net.fc.weight, Net.gain.weight, net.layers[0].weight):
    nn.init.constant_(weight, 0.5)
net(torch.arange(2.0)[None]).sum().backward()
found = [net.fc.weight.grad.tolist(), Net.gain.weight.grad.tolist(), net.layers[0].weight.grad.tolist(), net.shift.grad.tolist()]
"""


@pytest.mark.frameworks
def test_what_no_module_counts_has_its_gradient(tmp_path: Path) -> None:
    theirs, ours = both_sides(tmp_path, OUTSIDE)
    assert ours.found == theirs.found


#: Optimizers of a part, whose gradients are clipped and read as a whole; of groups that the program changes.
PARTS = """import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.head = nn.Linear(2, 2), nn.Linear(2, 1)
        for p in self.parameters():
            nn.init.constant_(p, 0.5)

    def forward(self, x):
        return self.head(self.body(x))


class Trainer:
    def __init__(self, net):
        self.net = net
        self.opt = torch.optim.SGD(net.head.parameters(), lr=0.1)

    def clip(self):
        return float(nn.utils.clip_grad_norm_(self.net.parameters(), 1.0))

    def step(self, x):
        self.opt.zero_grad()
        loss = self.net(x).sum()
        loss.backward()
        norm = self.clip()
        self.opt.step()
        return [loss.item(), norm]

    def renew(self):
        self.net.head = nn.Linear(2, 1)
        for p in self.net.head.parameters():
            nn.init.constant_(p, 0.1)
        self.opt.param_groups[0]["params"] = list(self.net.head.parameters())


trainer = Trainer(Net())
x = torch.tensor([[1.0, 2.0]])
found = [trainer.step(x), trainer.step(x)]
trainer.renew()
found += [trainer.step(x), trainer.step(x), [p.sum().item() for p in trainer.net.parameters()]]
"""


#: What steps elsewhere is cleared and clipped here; the gradient of what no optimizer holds is read.
ELSEWHERE = """import torch
from torch import nn

enc, dec, fixed = nn.Linear(2, 3), nn.Linear(3, 2), nn.Linear(2, 2)
for p in (*enc.parameters(), *dec.parameters(), *fixed.parameters()):
    nn.init.constant_(p, 0.2)
one = torch.optim.SGD(enc.parameters(), lr=0.1)
other = torch.optim.SGD(dec.parameters(), lr=0.1)
x = torch.tensor([[1.0, 2.0]])


def train():
    one.zero_grad()
    other.zero_grad()
    loss = (dec(enc(x)) - x).pow(2).sum()
    loss.backward()
    nn.utils.clip_grad_norm_(enc.parameters(), 0.1)
    other.step()
    return loss.item()


found = [[train(), train()]]
one.step()
found.append([p.sum().item() for p in enc.parameters()])
last = torch.optim.SGD(dec.parameters(), lr=0.1)
last.zero_grad()
(dec(enc(x)) - fixed(x)).pow(2).sum().backward()
last.step()
found.append([fixed.bias.grad.sum().item(), dec.bias.grad.sum().item()])
"""


PRUNED = """import torch
from torch import nn

w = nn.Parameter(torch.arange(4.0))
opt = torch.optim.Adam([{"params": [w], "lr": 0.1, "name": "w"}], lr=0.0)


def step():
    w.pow(2).sum().backward()
    opt.step()
    opt.zero_grad()
    return w.tolist()


found = [step()]
for group in opt.param_groups:
    old = group["params"][0]
    state = opt.state.pop(old)
    for name in ("exp_avg", "exp_avg_sq"):
        state[name] = state[name][old > 1]
    w = nn.Parameter(old[old > 1].detach())
    group["params"][0] = w
    opt.state[w] = state
found += [step(), step()]
"""


@pytest.mark.frameworks
@pytest.mark.parametrize("program", [PARTS, ELSEWHERE, PRUNED], ids=["optimizers of a part", "optimizers that step elsewhere", "a parameter in the place of one in a group"])
def test_parameters_move_as_in_torch(tmp_path: Path, program: str) -> None:
    theirs, ours = both_sides(tmp_path, program)
    for one, other in zip(theirs.found, ours.found, strict=True):
        assert other == pytest.approx(one, rel=1e-5)
