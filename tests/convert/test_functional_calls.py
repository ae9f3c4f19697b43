"""``torch.func.functional_call``: the given tensors stand in the places of parameters wherever the module reads them, and gradients go to them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import printed_by_both

PROGRAM = """import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 3)
        self.scales = nn.ParameterList([nn.Parameter(torch.ones(3)) for _ in range(3)])
        self.named = nn.ParameterDict({"shift": nn.Parameter(torch.zeros(3))})

    def forward(self, x):
        x = self.first(x) * self.scales[0]
        for scale in self.scales[1:]:
            x = x * scale
        return x + self.named["shift"] + sum(p.sum() for p in self.scales)


net = Net()
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(0.4 * torch.sin(torch.arange(float(p.numel())) + i + 1).view_as(p))
x = torch.sin(torch.arange(6.0)).reshape(2, 3)
factor = torch.tensor(0.9, requires_grad=True)
changed = {name: p.detach() * factor for name, p in net.named_parameters()}
y = torch.func.functional_call(net, changed, (x,))
(g,) = torch.autograd.grad(y.square().sum(), factor)
print([round(v, 4) for v in y.flatten().tolist()], round(g.item(), 3))
print([round(v, 4) for v in net(x).flatten().tolist()])
"""


@pytest.mark.frameworks
def test_lists_and_dicts_of_parameters_give_what_is_in_their_places(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    assert theirs == ours
