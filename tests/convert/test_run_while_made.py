"""Modules that a constructor runs are in training there, as torch's are."""

from __future__ import annotations

from pathlib import Path

import pytest

pytestmark = pytest.mark.frameworks
pytest.importorskip("torch", reason="this file compares the frameworks")
pytest.importorskip("mindspore", reason="this file compares the frameworks")

from tests.convert.both_sides import converted_script, printed_by_both  # noqa: E402

PROGRAM = """
import torch
from torch import nn


class Head(nn.Module):
    stride = None

    def __init__(self, width):
        super().__init__()
        self.fc = nn.Linear(width, 2)

    def forward(self, x):
        return self.fc(x) if self.training else self.fc(x) * self.stride


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.Flatten())
        nn.init.constant_(self.features[0].weight, 0.25)
        nn.init.zeros_(self.features[0].bias)
        self.head = Head(self._width())
        self.head.stride = torch.tensor([float(y.shape[-1]) for y in [self.forward(torch.ones(2, 1, 4, 4))]])

    def _width(self):
        return self.features(torch.arange(32.0).view(2, 1, 4, 4)).size(1)

    def forward(self, x):
        return self.head(self.features(x))


net = Net()
print(net.training, net.head.stride.tolist())
print([round(v, 5) for v in net.features[1].running_mean.tolist() + net.features[1].running_var.tolist()])
"""


def test_statistics_and_modes_of_the_first_runs(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    assert ours == theirs


def test_where_no_layer_has_a_mode_the_mode_is_set_afterwards(tmp_path: Path) -> None:
    plain = PROGRAM.replace("nn.BatchNorm2d(2), ", "").replace(" if self.training else self.fc(x) * self.stride", "").replace("print", "# print")
    assert "net = Net().set_train()" in converted_script(tmp_path, plain)
