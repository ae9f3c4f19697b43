"""Ranges and extreme values in a forward pass whose gradients a compiled step differentiates again."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import converted_script, printed_by_both

PROGRAM = """import torch
import torch.nn as nn


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 3)
        self.places = nn.Embedding(8, 3)
        self.head = nn.Linear(3, 1)

    def forward(self, x):
        t = torch.arange(x.size(1))
        y = torch.tanh(self.first(x) + self.places(t)[None])
        y = y * torch.arange(0, 8, 2, dtype=torch.float32)[None, :, None]
        most, at = torch.max(y, 1, keepdim=True)
        least = y.min(dim=-1).values
        return self.head((most + (at == 0).float() * y).mean(1)) + least.mean(1, keepdim=True) * y.max()


net = Critic()
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(0.4 * torch.sin(torch.arange(float(p.numel())) + i).view_as(p))
x = torch.sin(torch.arange(24.0)).reshape(2, 4, 3).requires_grad_()
score = net(x)
slope = torch.autograd.grad(score.sum(), x, create_graph=True)[0]
loss = score.square().mean() + (slope.flatten(1).norm(dim=1) - 1).square().mean()
loss.backward()
print(round(loss.item(), 3), [round(p.grad.abs().sum().item(), 2) for p in net.parameters()])
"""


def test_other_projects_are_written_as_ever(tmp_path: Path) -> None:
    text = converted_script(tmp_path, "import torch\n\n\ndef f(x: torch.Tensor):\n    most, at = x.max(1)\n    return most, at, torch.arange(3)\n")
    assert "most, at = ops.max(x, 1)" in text and "ops.arange(3)" in text


def test_a_function_that_comes_to_stand_in_another_has_one_blank_line_above_it(tmp_path: Path) -> None:
    text = converted_script(tmp_path, PROGRAM)
    assert "\n\n    def " in text
    assert "\n\n\n    def " not in text


@pytest.mark.frameworks
def test_both_sides_agree(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    assert theirs == ours
