"""Layers whose weights are computed, filled by a function that goes over all modules: before the first call a spectral norm's `weight` is the parameter's memory in torch, other computed weights are values of the moment."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import converted_script, printed_by_both

PROGRAM = """import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils import spectral_norm, weight_norm


def init_weights(m):
    if isinstance(m, nn.Conv2d):
        m.weight.data.fill_(0.25)
    elif isinstance(m, nn.Linear):
        nn.init.eye_(m.weight.data)
        nn.init.constant_(m.bias, 0.1)
    elif isinstance(m, nn.LayerNorm):
        nn.init.constant_(m.weight, 0.7)
    elif m.__class__.__name__.find("BatchNorm") != -1:
        m.weight.data.fill_(1.5)
    elif isinstance(m, (nn.Embedding, nn.Bilinear)):
        m.weight.data.copy_(torch.ones_like(m.weight) * 0.3)


class Scaled(nn.Conv2d):
    pass


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = spectral_norm(Scaled(2, 3, 3, padding=1))
        self.plain = nn.Conv2d(3, 2, 1)
        self.fc = spectral_norm(nn.Linear(8, 3))
        self.fc2 = nn.utils.parametrizations.weight_norm(nn.Linear(3, 2))
        self.fc3 = weight_norm(nn.Linear(2, 2))
        self.more = nn.ModuleList([nn.LayerNorm(2), nn.BatchNorm1d(2), nn.Embedding(2, 2)])

    def forward(self, x):
        x = F.leaky_relu(self.plain(self.conv(x)))
        return self.fc3(self.fc2(self.fc(x.mean(1).flatten(1))))


net = Net()
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(0.4 * torch.sin(torch.arange(float(p.numel())) + i).view_as(p))
    for b in net.buffers():
        if b.ndim == 1:
            b.copy_(F.normalize(torch.ones_like(b), dim=0))
net.apply(init_weights)
print([round(p.sum().item(), 3) for p in net.parameters()])
net.eval()
print([[round(v, 3) for v in row] for row in net(torch.sin(torch.arange(32.0)).reshape(2, 2, 4, 2)).tolist()])
"""


def test_a_project_without_normalised_weights_fills_them_as_ever(tmp_path: Path) -> None:
    text = converted_script(tmp_path, "import torch.nn as nn\n\n\ndef init(m):\n    if isinstance(m, nn.Linear):\n        nn.init.zeros_(m.weight)\n")
    assert "m.weight.set_data(initializer(Zero(), m.weight.shape, m.weight.dtype))" in text


@pytest.mark.frameworks
def test_the_parameters_that_are_filled(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    assert theirs == ours
