"""`torch.autograd.functional` without ``create_graph=True`` gives constants (`torch.func` does not): beside a loss, in a step's function and on the tape, also where a derivative hangs on parameters or does not compile."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.convert.both_sides import printed_by_both

HEAD = """import torch
import torch.func
from torch import nn
from torch.autograd.functional import hessian, hvp, jacobian, jvp, vjp

net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
for p in net.parameters():
    p.data.copy_(torch.sin(torch.arange(p.numel()) + 1.0).view_as(p))
x, y = torch.linspace(-1, 1, 15).view(5, 3), torch.linspace(1, -1, 10).view(5, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)


def energy(q):
    return net(q).pow(2).sum()


def shown():
    print(*[v.item() for v in SHOWN], *[p.norm().item() for p in net.parameters()])


"""
STEP = """
for step in range(2):
    jac = jacobian(net, x[0])
    loss = (net(x) - y).pow(2).mean() + 0.1 * jac.pow(2).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    shown()
"""
KEPT = """
for step in range(2):
    jac = jacobian(net, x[0], create_graph=True)
    loss = (net(x) - y).pow(2).mean() + 0.1 * jac.pow(2).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    shown()
"""
PULLED = """
for step in range(2):
    value, jac = vjp(energy, x[2])
    out, pull = torch.func.vjp(net, x)
    (slope,) = pull(torch.ones_like(out))
    loss = (out - y).pow(2).mean() + 0.1 * slope.pow(2).mean() + value + jac.norm()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    shown()
"""
TAPE = """class Trainer:
    def forward(self):
        self.loss = (net(x) - y).pow(2).mean()

    def back(self):
        optimizer.zero_grad()
        self.loss.backward()
        optimizer.step()


trainer = Trainer()
"""
ALL = """for step in range(2):
    trainer.forward()
    jac, curved = jacobian(net, x[0]), hessian(energy, x[1])
    value, slope = vjp(energy, x[2])
    _, pushed = jvp(energy, x[3], torch.ones(3))
    more, product = hvp(energy, x[4], torch.ones(3))
    trainer.loss = trainer.loss + jac.pow(2).sum() + curved.trace() + slope.norm() + pushed + value + more + product.sum()
    trainer.back()
    loss = trainer.loss
    shown()
"""
UNCOMPILED = """
def squared_inside(q):
    z = net(q)
    out, inside = z.clone(), z > 0
    if inside.any():
        out[inside] = z[inside] ** 2
    return out


for step in range(2):
    trainer.forward()
    jac = jacobian(squared_inside, x[0])
    trainer.loss = trainer.loss + jac.pow(2).sum()
    trainer.back()
    loss = trainer.loss
    shown()
"""
PROGRAMS = {"in a step": STEP, "differentiated again": KEPT, "products in a step": PULLED, "on the tape": TAPE + ALL, "not compiled": TAPE + UNCOMPILED}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_both_sides_agree(program: str, tmp_path: Path) -> None:
    text = (HEAD + program).replace("SHOWN", "(loss, jac.norm())")
    theirs, ours = printed_by_both(tmp_path, text)
    np.testing.assert_allclose([float(one) for one in ours.split()], [float(one) for one in theirs.split()], rtol=1e-4, atol=1e-6)
