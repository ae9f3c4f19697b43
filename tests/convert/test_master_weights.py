"""Copies of parameters that an optimizer changes in their place, with gradients that are given by hand: half precision by hand."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.convert.both_sides import printed_by_both

PROGRAM = """
import json
import torch
from torch import nn

xs = torch.cos(torch.arange(24.0)).reshape(8, 3)
net = nn.Linear(3, 1)
with torch.no_grad():
    for p in net.parameters():
        p.copy_(torch.sin(torch.arange(float(p.numel()))).reshape(p.shape))


class Master:
    def __init__(self, params, lr):
        self.params = list(params)
        self.master = [p.detach().clone().float() for p in self.params]
        for m in self.master:
            ASKED
        self.opt = torch.optim.SGD(self.master, lr=lr, momentum=0.9)

    def step(self):
        for m, p in zip(self.master, self.params):
            m.grad = p.grad.float() * 2
        self.opt.step()
        with torch.no_grad():
            for m, p in zip(self.master, self.params):
                p.copy_(m)


found, opt = [], Master(net.parameters(), 0.1)
for _ in range(3):
    net.zero_grad()
    loss = net(xs).pow(2).mean()
    loss.backward()
    opt.step()
    found.append([loss.item(), *[m.detach().sum().item() for m in opt.master]])
print(json.dumps(found))
"""


@pytest.mark.frameworks
@pytest.mark.parametrize("asked", ["m.requires_grad = True", "m.requires_grad_()"])
def test_a_loop_asks_for_their_gradients(tmp_path: Path, asked: str) -> None:
    """The optimizer got plain tensors: "optimizers change Parameters"."""
    theirs, ours = printed_by_both(tmp_path, PROGRAM.replace("ASKED", asked))
    np.testing.assert_allclose(json.loads(ours), json.loads(theirs), rtol=2e-5, atol=1e-6)
