"""Tensors that want their gradient and reach the loss through what holds them: a class's field, a list, a dictionary."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.convert.both_sides import both_sides

HELD = """import dataclasses

import torch

scale = torch.tensor([1.0, 2.0])
shift = torch.tensor([3.0, 4.0])
x = torch.tensor([0.5, -1.0])
unused = torch.tensor([1.0])
for_nothing = [unused]
scale.requires_grad_()
shift.requires_grad_()
x.requires_grad_()
unused.requires_grad_()


class Config:
    factor = scale


@dataclasses.dataclass
class Data:
    parts: list = dataclasses.field(default_factory=lambda: [shift])


cfg, data = Config(), Data()
loss = (x * cfg.factor + data.parts[0] * x).sum()
loss.backward()
found = [x.grad, scale.grad, shift.grad, unused.grad]
"""

HELD_BEFORE = """import torch

x = torch.tensor([0.5, -1.0])
batch = {"image": x}
x.requires_grad_()
loss = (batch["image"] ** 2).sum()
loss.backward()
found = [x.grad]
"""

BY_NAME = """import torch

x = torch.tensor([[2.0, 0.5], [1.0, -1.0]])
x.requires_grad_()
loss = getattr(x, "inverse")().sum()
loss.backward()
found = [x.grad]
"""


OF_A_LOSS = """import torch
from torch import nn

torch.manual_seed(1)
loss_of = nn.AdaptiveLogSoftmaxWithLoss(16, 6, [2, 4])
with torch.no_grad():
    for p in loss_of.parameters():
        p.copy_(torch.linspace(-0.5, 0.7, p.numel()).reshape(p.shape))
hidden = torch.linspace(-1, 1, 48).reshape(3, 16)
hidden.requires_grad_()
loss = loss_of(hidden, torch.tensor([0, 3, 5])).loss
loss.backward()
found = [hidden.grad, *[p.grad.abs().sum() for p in loss_of.parameters()]]
"""


@pytest.mark.frameworks
@pytest.mark.parametrize("text", [pytest.param(HELD, id="in a class and a default"), pytest.param(HELD_BEFORE, id="before it wants it"), pytest.param(BY_NAME, id="a method by its name"), pytest.param(OF_A_LOSS, id="a loss with parameters")])
def test_the_gradients_are_equal(tmp_path: Path, text: str) -> None:
    theirs, ours = both_sides(tmp_path, text)
    for expected, made in zip(theirs.found, ours.found, strict=True):
        if expected is None:
            assert made is None
        else:
            np.testing.assert_allclose(made.asnumpy(), expected.numpy(), rtol=1e-4, atol=1e-6)
