"""Second gradients that MindSpore lacks are registered by projects that differentiate gradients."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.convert.both_sides import (
    both_sides,
    converted_script,
    printed_by_both,
    seen_by_graphs,
)

PROGRAM = """import numpy as np
import torch
import torch.nn.functional as F

RANDOM = np.random.default_rng(2)
W = (0.7 * RANDOM.standard_normal((4, 3))).astype(np.float32)
X = (2 * RANDOM.standard_normal((5, 4))).astype(np.float32)
LABELS = torch.tensor([0, 2, 1, -100, 2])
ONES = torch.tensor(RANDOM.integers(0, 2, (5, 3)).astype(np.float32))


def value(name, h):
    if name == "log_softmax":
        return (F.log_softmax(h, dim=1) * ONES).sum()
    if name == "cross_entropy":
        return F.cross_entropy(h, LABELS)
    if name == "nll":
        return F.nll_loss(F.log_softmax(h, 1), LABELS, reduction="sum")
    if name == "binary":
        return F.binary_cross_entropy_with_logits(h, ONES)
    if name == "weighted":
        return F.binary_cross_entropy_with_logits(h, ONES, weight=torch.tensor([1.0, 2.0, 0.5]), pos_weight=torch.tensor([3.0, 1.0, 0.2]), reduction="sum")
    if name == "elu":
        return (F.elu(h) ** 2).sum()
    if name == "relu6":
        return (F.relu6(2 * h) ** 2).sum()
    if name == "hardswish":
        return (F.hardswish(h) ** 2).sum()
    return (F.gelu(h, approximate="tanh") ** 2).sum()


def run(name):
    w = torch.nn.Parameter(torch.tensor(W))
    optimizer, log = torch.optim.SGD([w], lr=0.01), []
    for step in range(2):
        x = torch.tensor(X).requires_grad_(True)
        slope = torch.autograd.grad(value(name, x @ w), x, create_graph=True)[0]
        loss = slope.pow(2).sum() + (x @ w).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        log += [loss.item(), *w.grad.flatten().tolist()]
    return log
"""
NAMES = ("log_softmax", "cross_entropy", "nll", "binary", "weighted", "elu", "relu6", "hardswish", "gelu")


@pytest.mark.frameworks
@pytest.mark.parametrize("name", NAMES)
def test_both_sides_agree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, PROGRAM)
    seen_by_graphs(mindspore_side, monkeypatch)
    theirs = np.array(torch_side.run(name))
    np.testing.assert_allclose(mindspore_side.run(name), theirs, rtol=1e-4, atol=1e-5 * np.abs(theirs).max())


IMAGES = """import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

RANDOM = np.random.default_rng(3)
W = torch.tensor((0.7 * RANDOM.standard_normal((4, 2, 3, 3))).astype(np.float32))
X = torch.tensor((2 * RANDOM.standard_normal((2, 2, 6, 6))).astype(np.float32))
PLACES = torch.tensor(RANDOM.integers(0, 6, (2, 4, 6, 2)))
SIDE = torch.tensor(RANDOM.standard_normal((2, 4, 6, 6)).astype(np.float32))


class Critic(nn.Module):
    def __init__(self, name):
        super().__init__()
        self.name = name
        self.first = nn.Conv2d(2, 4, 3, padding=1)
        self.mean = nn.AvgPool2d(2)
        if name == "group norm":
            self.norm = nn.GroupNorm(2, 4)
        if name == "prelu":
            self.slope = nn.PReLU(4)
        with torch.no_grad():
            self.first.weight.copy_(W)
            self.first.bias.fill_(0.1)

    def forward(self, x):
        h = self.first(x)
        if self.name == "group norm":
            return (self.norm(h) * SIDE).pow(2).sum()
        if self.name == "average":
            return self.mean(h).pow(2).sum()
        if self.name == "adaptive average":
            return F.adaptive_avg_pool2d(h, 1).pow(2).sum()
        if self.name == "maximum":
            return F.max_pool2d(h, 2).pow(2).sum()
        if self.name == "nearest":
            return F.interpolate(h, scale_factor=2, mode="nearest").pow(3).sum() * 0.01
        if self.name == "bilinear":
            return F.interpolate(h, size=(9, 9), mode="bilinear", align_corners=False).pow(3).sum() * 0.01
        if self.name == "prelu":
            return self.slope(h).pow(2).sum()
        if self.name == "softshrink":
            return F.softshrink(h).pow(2).sum()
        if self.name == "hardshrink":
            return F.hardshrink(h).pow(2).sum()
        if self.name == "smooth l1":
            return F.smooth_l1_loss(h, SIDE, beta=2.0)
        if self.name == "probabilities":
            return F.binary_cross_entropy(torch.sigmoid(0.2 * h), (SIDE > 0).float())
        return h.gather(3, PLACES).pow(2).sum()


def run(name):
    net = Critic(name)
    optimizer, log = torch.optim.SGD(net.parameters(), lr=1e-4), []
    for step in range(2):
        x = X.clone().requires_grad_(True)
        score = net(x)
        slope = torch.autograd.grad(score, x, create_graph=True)[0]
        loss = slope.pow(2).sum() + 0.1 * score
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        log += [loss.item()] + [p.grad.abs().sum().item() for p in net.parameters() if p.grad is not None]
        log += net.first.weight.grad.flatten().tolist()
    return log
"""
CRITICS = (
    "group norm", "average", "adaptive average", "maximum", "nearest", "bilinear", "prelu", "softshrink", "hardshrink", "smooth l1",
    "probabilities", "gathered",
)  # fmt: skip


@pytest.fixture(scope="module")
def critics(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, list[float]], dict[str, list[float]]]:
    """What the networks log on both sides, each in a process of its own: MindSpore's compiler fails in one that has compiled some hundred programs before ("real_primal_func is null")."""
    program = f"import json\n{IMAGES}\n\nprint(json.dumps({{name: run(name) for name in {CRITICS!r}}}))\n"
    theirs, ours = (json.loads(text.splitlines()[-1]) for text in printed_by_both(tmp_path_factory.mktemp("critics"), program))
    return theirs, ours


@pytest.mark.frameworks
@pytest.mark.parametrize("name", CRITICS)
def test_networks_for_images_agree(critics: tuple[dict[str, list[float]], dict[str, list[float]]], name: str) -> None:
    theirs, ours = (np.array(side[name]) for side in critics)
    np.testing.assert_allclose(ours, theirs, rtol=1e-3, atol=1e-4 * np.abs(theirs).max())


def test_other_projects_register_nothing(tmp_path: Path) -> None:
    text = converted_script(tmp_path, "import torch.nn.functional as F\n\n\ndef f(x, y):\n    return F.cross_entropy(F.elu(x), y)\n")
    assert "equivalents" not in text
