"""`torch.func` beside losses that go back through the tape: derivatives of other functions leave the recording as it was."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.convert.both_sides import both_sides, printed_by_both

HEAD = """import torch
from torch import nn
from torch.func import functional_call, grad, grad_and_value, jacrev, vjp, vmap

net = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1))
for p in net.parameters():
    p.data.copy_(torch.linspace(-1, 1, p.numel()).view_as(p))
params = {k: v.detach().clone() for k, v in net.named_parameters()}
x = torch.linspace(-1, 1, 8).view(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)


class Trainer:
    def forward(self, x):
        self.loss = (net(x) - 1).pow(2).mean()

    def back(self):
        optimizer.zero_grad()
        self.loss.backward()
        optimizer.step()


def of_one(p, one):
    return functional_call(net, p, (one.unsqueeze(0),)).pow(2).sum()


trainer = Trainer()
"""
BESIDE = """
for step in range(2):
    trainer.forward(x)
    slopes, value = grad_and_value(lambda p: functional_call(net, p, (x,)).pow(2).mean())(params)
    params = {k: v - 0.1 * slopes[k] for k, v in params.items()}
    slope = grad(lambda v: (v ** 3).sum())(x)
    jacobian = jacrev(lambda v: v.sin())(x[0])
    _, pull = vjp(lambda v: v.cos(), x)
    trainer.back()
    each = vmap(grad(of_one), in_dims=(None, 0))(params, x)
    print(trainer.loss.item(), value.item(), slope.sum().item(), jacobian.sum().item(), pull(torch.ones_like(x))[0].sum().item(), *[v.norm().item() for v in each.values()])
print(sum(p.abs().sum().item() for p in net.parameters()))
"""
OF_A_LEAF = """
def run():
    trainer.forward(x)
    slope = grad(lambda v: net(v).pow(2).sum())(x)
    trainer.loss = trainer.loss + slope.pow(2).sum()
    trainer.back()
    return sum(p.abs().sum().item() for p in net.parameters())
"""


def test_both_sides_agree(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, HEAD + BESIDE)
    np.testing.assert_allclose([float(one) for one in ours.split()], [float(one) for one in theirs.split()], rtol=1e-4, atol=1e-6)


def test_a_derivative_that_hangs_on_a_parameter_is_no_constant(tmp_path: Path) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, HEAD + OF_A_LEAF)
    torch_side.run()
    with pytest.raises(RuntimeError, match="has ended the recording"):
        mindspore_side.run()
