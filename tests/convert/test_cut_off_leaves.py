"""``image = image.detach()`` behind the steps that changed an image: its name is no leaf in the step that follows."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from tests.convert.both_sides import both_sides, converted_script

#: Samples are drawn along the gradient of what a network says of them; then the network learns from them.
CONTRASTIVE = """import torch
from torch import nn

net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
with torch.no_grad():
    for p in net.parameters():
        p.copy_(torch.linspace(-0.6, 0.8, p.numel()).reshape(p.shape))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)


def train(data, steps):
    losses = []
    for number in range(2):
        drawn = torch.linspace(-1.0, 1.0, 6).reshape(2, 3) * (number + 1)
        drawn.requires_grad = True
        for _ in range(steps):
            net(drawn).sum().backward()
            drawn.data.add_(drawn.grad.data, alpha=-0.5)
            drawn.grad.zero_()
        CUT
        optimizer.zero_grad()
        loss = (net(data) - net(drawn)).mean() + (net(drawn) ** 2).mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    return losses, drawn


losses, drawn = train(torch.arange(6.0).reshape(2, 3) / 5, 2)
found = [*losses, drawn.detach(), *(p.detach() for p in net.parameters())]
"""

CUTS = ("drawn = drawn.detach()", "drawn = drawn.data", "drawn = drawn.detach().clone()", "drawn = 0.5 * drawn.detach()")


@pytest.mark.frameworks
@pytest.mark.parametrize("cut", CUTS)
def test_a_name_that_was_cut_off_is_no_leaf(tmp_path: Path, cut: str) -> None:
    theirs, ours = both_sides(tmp_path, CONTRASTIVE.replace("CUT", cut))
    for expected, made in zip(theirs.found, ours.found, strict=True):
        np.testing.assert_allclose(made.asnumpy(), expected.numpy(), rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize(("cut", "leaf"), [(CUTS[0], False), ("drawn = drawn.detach().requires_grad_()", True), ("pass", True)])
def test_which_names_are_leaves(tmp_path: Path, cut: str, leaf: bool) -> None:
    steps = re.findall("value_and_gradients\\(.*", converted_script(tmp_path, CONTRASTIVE.replace("CUT", cut)).partition("\n\n\n")[2])
    assert sum("[drawn]" in step for step in steps) == 1 + leaf
