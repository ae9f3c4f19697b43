"""Layers called with more than their input are vendored: MindSpore's own class takes the input alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mindport.convert import convert
from mindport.source.discover import discover
from tests.convert.both_sides import both_sides

PROGRAM = """import torch
from torch import nn


class Up(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.ConvTranspose2d(4, 2, 3, stride=2, padding=1)

    def forward(self, x, skip):
        return self.up(x{more})
"""


@pytest.mark.parametrize(("more", "vendored"), [("", False), (", output_size=skip.shape", True), (", skip.shape", True), (", **{'output_size': skip.shape}", True)])
def test_the_class(tmp_path: Path, more: str, vendored: bool) -> None:
    (tmp_path / "net.py").write_text(PROGRAM.format(more=more), encoding="utf-8")
    text = {path.name: text for path, text in convert(discover(tmp_path)).files.items()}["net.py"]
    assert ("self.up = ConvTranspose2d(" in text) is vendored
    assert ("self.up = nn.Conv2dTranspose(" in text) is not vendored


SIZES = """
import torch
from torch import nn

made = []
for layer, sizes in (
    (nn.ConvTranspose2d(2, 4, 3, stride=2, padding=1, groups=2), [(7, 8), (1, 4, 8, 7)]),
    (nn.ConvTranspose2d(2, 4, 3, stride=2, padding=2, output_padding=1), [(5, 6)]),
    (nn.ConvTranspose2d(2, 4, (3, 2), stride=2, padding=(1, 0), dilation=(2, 1)), [(10, 9), (9, 8)]),
):
    nn.init.constant_(layer.bias, 0.5)
    nn.init.constant_(layer.weight, 0.25)
    x = torch.linspace(0, 1, 32).reshape(1, 2, 4, 4)
    made += [layer(x, output_size=size) for size in sizes]
line = nn.ConvTranspose1d(2, 4, 3, stride=2, padding=1)
nn.init.constant_(line.bias, 0.5)
nn.init.constant_(line.weight, 0.25)
volume = nn.ConvTranspose3d(2, 2, 3, stride=2, padding=(1, 0, 1))
nn.init.constant_(volume.bias, 0.5)
nn.init.constant_(volume.weight, 0.25)
made.append(volume(torch.linspace(0, 1, 16).reshape(1, 2, 2, 2, 2), output_size=(4, 6, 3)))
made += [line(torch.ones(1, 2, 4), output_size=(size,)) for size in (7, 8)]
"""


@pytest.mark.frameworks
def test_the_size_that_is_asked_for(tmp_path: Path) -> None:
    theirs, ours = both_sides(tmp_path, SIZES)
    for expected, found in zip(theirs.made, ours.made, strict=True):
        np.testing.assert_allclose(found.asnumpy(), expected.detach().numpy(), 1e-5, 1e-6)


ALONE = """
import numpy as np
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = nn.Conv2d(1, 3, 2)
        self.up = nn.ConvTranspose2d(3, 1, 2)

    def forward(self, x):
        return self.up(torch.relu(self.down(x)))


plane = torch.tensor([[[1.0, 2.0, 3.0], [2.0, 3.0, 4.0]]])
steps = torch.from_numpy(np.linspace(-1, 1, 6, dtype=np.float32).reshape(3, 2))
net, line, volume, back = Net(), nn.Conv1d(2, 2, 2), nn.Conv3d(1, 2, 1), nn.ConvTranspose3d(1, 2, 2)
recurrent = [nn.RNN(2, 3, 2, bidirectional=True), nn.GRU(2, 3, batch_first=True), nn.LSTM(2, 3, num_layers=2, bidirectional=True)]
held, kept = nn.LSTM(2, 3), nn.GRU(2, 3)
for layer in [net, line, volume, back, held, kept, *recurrent]:
    for p in layer.parameters():
        nn.init.constant_(p, 0.1)
made = [net(plane), line(plane[0]), volume(plane[None]), back(plane[None])]
for layer in recurrent:
    made += [layer(steps)[0], layer(steps)[1][0], layer(steps[None])[0]]
made += [held(steps, (torch.ones(1, 3), torch.ones(1, 3)))[1][1], kept(steps, torch.ones(1, 3))[1]]
"""


@pytest.mark.frameworks
def test_without_a_batch(tmp_path: Path) -> None:
    theirs, ours = both_sides(tmp_path, ALONE)
    for expected, found in zip(theirs.made, ours.made, strict=True):
        np.testing.assert_allclose(found.asnumpy(), expected.detach().numpy(), 1e-4, 1e-6)


def test_a_batch_keeps_the_plain_layer(tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text(ALONE.partition("plane =")[0] + "net = Net()\ny = net(torch.tensor([[[[1.0, 2.0], [2.0, 3.0]]]]))\n", encoding="utf-8")
    text = {path.name: text for path, text in convert(discover(tmp_path)).files.items()}["net.py"]
    assert "nn.Conv2d(" in text and "nn.Conv2dTranspose(" in text
