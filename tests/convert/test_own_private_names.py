"""``self._parameters = nn.ParameterList()``: a module's own list under a name that torch keeps its dictionary by."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import printed_by_both

PROGRAM = """\
import torch
from torch import nn


class Layers(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = []
        self._parameters = nn.ParameterList()
        for scale in (0.5, 2.0):
            part = nn.Linear(2, 2, bias=False)
            with torch.no_grad():
                part.weight.copy_(torch.tensor([[1.0, 2.0], [-1.0, 0.5]]) * scale)
            self.parts.append(part)
            self._parameters.extend(list(self.parts[-1].parameters()))

    def parameters(self):
        return self._parameters

    def forward(self, x):
        for part in self.parts:
            x = part(x)
        return x


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(2))

    def names(self):
        return sorted(self._parameters)


net = Layers()
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
for step in range(3):
    optimizer.zero_grad()
    loss = net(torch.tensor([[1.0, -1.0]])).pow(2).sum()
    loss.backward()
    optimizer.step()
    print("%.4f" % loss.item())
print(len(net.parameters()), ["%.4f" % p.sum().item() for p in net.parameters()], Plain().names())
"""


@pytest.mark.frameworks
def test_a_list_of_parameters_under_torchs_private_name(tmp_path: Path) -> None:
    torch, mindspore = printed_by_both(tmp_path, PROGRAM)
    assert mindspore == torch and torch.splitlines()[-1].startswith("2 [") and torch.endswith("['weight']\n")
