"""``torch.Tensor(space.shape)``: whose shape it is decides whether it is data (Soft Actor-Critic's target entropy); it was refused when it ran."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides

PROGRAM = """
import numpy as np
import torch

class Box:
    def __init__(self, low):
        self.low = np.asarray(low, dtype=np.float32)
        self.shape = self.low.shape

def entropy(action_space, device):
    return -torch.prod(torch.Tensor(action_space.shape).to(device)).item()

def like(x):
    return tuple(torch.FloatTensor(x.shape).fill_(2.0).shape)

kept = [entropy(Box([1.0, 2.0, 3.0]), "cpu"), entropy(np.ones((2, 3)), "cpu"), like(torch.ones(2, 3)), torch.LongTensor(np.ones((4, 2)).shape).tolist()]
"""


@pytest.mark.frameworks
def test_the_owner_decides(tmp_path: Path) -> None:
    expected, actual = both_sides(tmp_path, PROGRAM)
    assert actual.kept == expected.kept
