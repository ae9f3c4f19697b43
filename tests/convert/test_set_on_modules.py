"""Attributes of layers that are set later, by code that knows them as modules only: MindSpore's layers do not follow, which was silent."""

from __future__ import annotations

from pathlib import Path

from mindport.convert import convert
from mindport.source.discover import discover

PROGRAM = """
from functools import partial
import torch
from torch import nn

class Dilated(nn.Module):
    def __init__(self, body):
        super().__init__()
        body.apply(partial(self.dilate, by=2))
        self.body = body

    def dilate(self, m, by):
        if m.__class__.__name__.find("Conv") != -1 and m.kernel_size == (3, 3):
            m.dilation = (by, by)
            m.padding = (by, by)

    def forward(self, x):
        return self.body(x)

net = Dilated(nn.Sequential(nn.Conv2d(1, 2, 3, 1, 1), nn.ReLU()))
"""
LISTS = """
from torch import nn

convs, gates = nn.ModuleList([nn.Conv1d(2, 2, 2)]), nn.ModuleList([nn.Conv1d(2, 2, 2)])
for conv in list(convs) + list(gates):
    conv.dilation = (2,)
"""


def _told(folder: Path, text: str) -> list[str]:
    (folder / "program.py").write_text(text)
    return [finding.message for finding in convert(discover(folder)).findings if finding.code == "MP101"]


def test_what_is_some_module(tmp_path: Path) -> None:
    told = _told(tmp_path, PROGRAM)
    assert len(told) == 2 and all("set after it was made" in message for message in told)


def test_what_no_layer_of_the_project_has_is_not_told(tmp_path: Path) -> None:
    assert not _told(tmp_path, PROGRAM.replace("nn.Conv2d(1, 2, 3, 1, 1)", "nn.Linear(1, 2)"))


def test_a_known_convolution_with_one_axis(tmp_path: Path) -> None:
    assert len(_told(tmp_path, LISTS)) == 1
