"""``with torch.no_grad():`` between the inputs of a gradient that is differentiated again and its output: MindSpore compiles none."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import Discovery
from mindport.source.file import SourceFile
from tests.convert.both_sides import printed_by_both

PROGRAM = """import torch
from torch import nn


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(3, 4)
        self.b = nn.Linear(4, 1)

    def hidden(self, x):
        return torch.tanh(self.a(x))

    def forward(self, x):
        return self.b(self.hidden(x))


def weighted(net, x):
    x.requires_grad_()
    with torch.no_grad():
        w = torch.sigmoid(net(x)) + x.sum(1, keepdim=True)
    out = net(x) * w
    return torch.autograd.grad(out, x, torch.ones_like(out), create_graph=True)[0]


def between(net, x):
    x.requires_grad_()
    h = net.hidden(x)
    with torch.no_grad():
        w = 1 - h.mean(1, keepdim=True)
    out = net.b(h) * w
    return torch.autograd.grad(out.sum(), x, create_graph=True)[0]


for penalty in (weighted, between):
    net = Critic()
    for i, p in enumerate(net.parameters()):
        p.data.copy_(torch.sin(torch.arange(float(p.numel())) + i).reshape(p.shape))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
    for step in range(3):
        x = torch.cos(torch.arange(12.0) * (step + 1)).reshape(4, 3)
        optimizer.zero_grad()
        loss = net(x).mean() + (penalty(net, x + 1).norm(2, dim=1) ** 2).mean()
        loss.backward()
        optimizer.step()
        print(round(loss.item(), 4), [round(p.abs().sum().item(), 4) for p in net.parameters()])
"""

HANDED_ON = """import torch


def inputs_of(x):
    return {"x": x, "scale": 2 * x.sum(1, keepdim=True)}


def penalty(net, x):
    x.requires_grad_()
    with torch.no_grad():
        inputs = inputs_of(x)
    out = net(**inputs)
    return torch.autograd.grad(out.sum(), x, create_graph=True)[0].norm()
"""


@pytest.mark.frameworks
def test_what_is_computed_there_is_constant(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    assert ours == theirs


def test_what_may_hand_the_input_on_is_told() -> None:
    """In torch the input goes on as it is, with its gradient."""
    result = convert(Discovery(root=Path("."), files=[SourceFile.of(HANDED_ON, "m.py")]))
    assert [(finding.code, finding.span.line) for finding in result.findings if finding.risk == "blocker"] == [("MP401", 13)]


def test_a_first_derivative_runs_as_it_stands() -> None:
    result = convert(Discovery(root=Path("."), files=[SourceFile.of(HANDED_ON.replace(", create_graph=True", ""), "m.py")]))
    assert not [finding for finding in result.findings if finding.risk == "blocker"]
