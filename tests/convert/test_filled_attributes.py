"""A forward pass whose result nobody takes, and a loss made of what it left in its modules."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides, converted_script

PROGRAM = """import torch
from torch import nn, optim


class Keep(nn.Module):
    def __init__(self, target):
        super().__init__()
        self.target = target

    def forward(self, x):
        self.loss = ((x - self.target) ** 2).mean()
        return x


def build():
    keeps = [Keep(0.3), Keep(-0.2)]
    model = nn.Sequential(nn.Linear(4, 2), keeps[0], nn.Linear(2, 3), keeps[1])
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.linspace(-0.5, 0.4, p.numel()).view_as(p))
    return model, keeps


def run():
    model, keeps = build()
    picture = torch.linspace(-1, 1, 8).reshape(2, 4).requires_grad_(True)
    optimizer = optim.SGD([picture], lr=0.5)
    losses = []
    for step in range(4):
        optimizer.zero_grad()
        model(picture)
        score = 0
        for keep in keeps:
            score += keep.loss
        loss = 10 * score + picture.abs().mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


losses = run()
"""


def test_the_call_belongs_to_what_is_differentiated(tmp_path: Path) -> None:
    text = converted_script(tmp_path, PROGRAM)
    assert "def forward():\n        model(picture)\n        score = 0" in text


def test_a_call_that_leaves_nothing_the_loss_reads_stays(tmp_path: Path) -> None:
    text = converted_script(tmp_path, PROGRAM.replace("self.loss =", "self.seen =").replace("keep.loss", "((keep(picture) - 1) ** 2).mean()"))
    assert "model(picture)\n" in text and "def forward():\n        model(picture)" not in text


@pytest.mark.frameworks
def test_both_sides_go_the_same_way(tmp_path: Path) -> None:
    torch, mindspore = both_sides(tmp_path, PROGRAM)
    assert torch.losses[-1] < torch.losses[0]
    assert max(abs(a - b) for a, b in zip(torch.losses, mindspore.losses, strict=True)) < 1e-5
