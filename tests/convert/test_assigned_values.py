"""Values with axes of length 1 in front that the region lacks, as torch takes them."""

from __future__ import annotations

from pathlib import Path

import pytest

pytestmark = pytest.mark.frameworks
torch = pytest.importorskip("torch", reason="this file compares the frameworks")
ms = pytest.importorskip("mindspore", reason="this file compares the frameworks")

from tests.convert.both_sides import both_sides  # noqa: E402

PROGRAM = '''
import numpy as np
import torch
import torch.nn as nn


def feature(net, image):
    return net(image[None])


def collected():
    net = nn.Linear(3, 2)
    nn.init.constant_(net.weight, 0.5)
    nn.init.zeros_(net.bias)
    images = torch.arange(12.0).reshape(4, 3)
    rows = torch.zeros(4, 2)
    for i, image in enumerate(images):
        rows[i] = feature(net, image).detach()
    return rows.tolist()


def advantages(first):
    rewards = torch.arange(6.0).reshape(3, 2)
    out, last = torch.zeros_like(rewards), 0
    after = first.reshape(1, -1)
    for t in reversed(range(3)):
        out[t] = last = rewards[t] + 0.5 * after + 0.5 * last
    return out.tolist()


def regions():
    x = torch.zeros(4, 2)
    mask, value = torch.tensor([True, False, True, False]), torch.arange(1.0, 5.0)
    x[:, 0] = value.reshape(1, 1, 4)
    x[mask] = torch.full((1, 2, 2), 7.0)
    x[torch.tensor([1, 3]), 1] = value[:2][None]
    x[0, 0] = value[:1].reshape(1, 1)
    return x.tolist()
'''


def test_values_lose_axes_of_length_1(tmp_path: Path) -> None:
    before, after = both_sides(tmp_path, PROGRAM)
    assert after.collected() == before.collected()
    assert after.advantages(ms.Tensor([1.0, 2.0])) == before.advantages(torch.tensor([1.0, 2.0]))
    assert after.regions() == before.regions()
