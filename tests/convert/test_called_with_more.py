"""Layers called with more than their input are vendored: MindSpore's own class takes the input alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover

PROGRAM = """import torch
from torch import nn


class Up(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.ConvTranspose2d(4, 2, 3, stride=2, padding=1)

    def forward(self, x, skip):
        return self.up(x{more})
"""


@pytest.mark.parametrize(("more", "vendored"), [("", False), (", output_size=skip.shape", True), (", skip.shape", True)])
def test_the_class(tmp_path: Path, more: str, vendored: bool) -> None:
    (tmp_path / "net.py").write_text(PROGRAM.format(more=more), encoding="utf-8")
    text = {path.name: text for path, text in convert(discover(tmp_path)).files.items()}["net.py"]
    assert ("self.up = ConvTranspose2d(" in text) is vendored
    assert ("self.up = nn.Conv2dTranspose(" in text) is not vendored
