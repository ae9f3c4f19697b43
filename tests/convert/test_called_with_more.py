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
