"""A learner by lists of weights with `F.batch_norm` (MAML): its statistics are parameters, and move with each task."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tests.convert.both_sides import printed_by_both

PROGRAM = """import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


class Learner(nn.Module):
    def __init__(self):
        super().__init__()
        self.vars = nn.ParameterList([nn.Parameter(torch.linspace(-1, 1, 12).reshape(4, 3)), nn.Parameter(torch.ones(4)), nn.Parameter(torch.linspace(-.5, .8, 8).reshape(2, 4))])
        self.statistics = nn.ParameterList([nn.Parameter(torch.zeros(4), requires_grad=False), nn.Parameter(torch.ones(4), requires_grad=False)])

    def forward(self, x, vars=None):
        if vars is None:
            vars = self.vars
        x = F.batch_norm(F.linear(x, vars[0]), self.statistics[0], self.statistics[1], weight=vars[1], training=True)
        return F.linear(torch.tanh(x), vars[2])


net = Learner()
opt = torch.optim.SGD(net.vars.parameters(), lr=0.1)
xs = torch.from_numpy(np.random.RandomState(0).randn(4, 5, 3).astype("f"))
y = torch.tensor([0, 1, 0, 1, 1])
for turn in range(2):
    x, later = xs[turn], xs[turn + 2]
    loss = F.cross_entropy(net(x), y)
    slopes = torch.autograd.grad(loss, net.vars.parameters(), create_graph=True)
    fast = [p - 0.1 * g for g, p in zip(slopes, net.vars.parameters())]
    after = F.cross_entropy(net(later, fast), y)
    opt.zero_grad()
    after.backward()
    opt.step()
    print(after.item(), *net.statistics[0].tolist(), *net.statistics[1].tolist())
"""


def test_each_forward_pass_counts_once(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    np.testing.assert_allclose([float(one) for one in ours.split()], [float(one) for one in theirs.split()], rtol=1e-4, atol=1e-6)
