"""Attributes of layers that are set later, by code that knows the layer, knows a module only, or nothing: layers follow, or it is told. It was silent."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover
from tests.convert.both_sides import both_sides

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


def coarser(blocks, what):
    for name, m in blocks.named_modules():
        if "pool" in name:
            m.ceil_mode = True
        elif "first" in name:
            m.dilation, m.padding, m.stride = (2, 1), (2, 2), (1, 1)
        elif "up" in name:
            setattr(m, "padding", what)
    return blocks


x = torch.arange(2.0 * 7 * 7).view(1, 2, 7, 7).sin()
several = nn.Sequential()
several.add_module("first", nn.Conv2d(2, 2, 3, 2, 1))
several.add_module("pool", nn.MaxPool2d(2))
several.add_module("up", nn.ConvTranspose2d(2, 1, 3, 2, output_padding=1))
mirrored = nn.Conv2d(2, 1, 3, padding=1, padding_mode="reflect")
mirrored.stride = 2
mirrored.padding = (0, 0)  # the border stays that of the constructor
stem = list(nn.Sequential(nn.Conv2d(3, 4, 7, 2, 3), nn.ReLU(), nn.MaxPool2d(3, 2, 1)).children())
stem[0].padding = (5, 5)
stem[2].kernel_size, stem[2].padding = 2, 0
nets = [Dilated(nn.Sequential(nn.Conv2d(2, 2, 3, 1, 1), nn.ReLU())), coarser(several, (1, 1)), mirrored, nn.Sequential(nn.Conv2d(2, 3, 1), *stem)]
with torch.no_grad():
    for net in nets:
        net.eval()
        for p in net.parameters():
            p.copy_(torch.arange(float(p.numel())).sin().view(p.shape))
results = [net(x).tolist() for net in nets]
held = [mirrored.stride, mirrored.padding, mirrored.padding_mode, several.up.stride, several.up.padding, several.up.output_padding, stem[0].padding]
torch.manual_seed(2)
one = torch.rand(1).item()
torch.manual_seed(2)
mirrored.dilation = (1, 2)
drawn_alike = one == torch.rand(1).item()
results.append(mirrored(x).tolist())
"""
BACKBONE = """
from torchvision import models

net = models.resnet18()
for name, m in net.layer4.named_modules():
    if "conv1" in name:
        m.dilation, m.padding, m.stride = (2, 2), (2, 2), (1, 1)
"""
MODULES = """
from torch import nn

def narrow(m):
    m.out_channels = 2

net = nn.Sequential(nn.ConvTranspose2d(1, 2, 3)).apply(narrow)
for m in net.modules():
    m.groups = 2
"""
LISTS = """
from torch import nn

convs, gates = nn.ModuleList([nn.Conv1d(2, 2, 2)]), nn.ModuleList([nn.Conv1d(2, 2, 2)])
for conv in list(convs) + list(gates):
    conv.padding_mode = "circular"
"""


def _told(folder: Path, text: str) -> list[str]:
    (folder / "program.py").write_text(text)
    return [finding.message for finding in convert(discover(folder)).findings if finding.code == "MP101"]


@pytest.mark.frameworks
def test_layers_follow(tmp_path: Path) -> None:
    theirs, ours = both_sides(tmp_path, PROGRAM)
    assert ours.held == theirs.held and ours.drawn_alike
    for expected, made in zip(theirs.results, ours.results, strict=True):
        assert _flat(made) == pytest.approx(_flat(expected), rel=1e-5, abs=1e-5)


def _flat(rows: object) -> list[float]:
    return [value for row in rows for value in _flat(row)] if isinstance(rows, list) else [rows]  # type: ignore[list-item]


def test_layers_of_networks_that_another_library_makes(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(BACKBONE)
    conversion = convert(discover(tmp_path))
    assert conversion.vendored is not None and not [finding for finding in conversion.findings if finding.code == "MP101"]
    assert '@keeping(follows=("dilation", "padding", "stride"))\nclass Conv2d' in conversion.files[conversion.vendored]


def test_what_no_layer_follows_is_told(tmp_path: Path) -> None:
    told = _told(tmp_path, MODULES)
    assert len(told) == 2 and all("set after it was made" in message for message in told)


def test_what_no_layer_of_the_project_has_is_not_told(tmp_path: Path) -> None:
    assert not _told(tmp_path, MODULES.replace("nn.ConvTranspose2d(1, 2, 3)", "nn.Linear(1, 2)"))


def test_a_known_convolution_with_one_axis(tmp_path: Path) -> None:
    assert len(_told(tmp_path, LISTS)) == 1


BY_NAMES = """
import torch
from torch import nn


def set_all(net, **settings):
    for module in net.modules():
        for name, value in settings.items():
            if hasattr(module, name):
                setattr(module, name, value)


net = nn.Sequential(nn.Conv2d(1, 2, 3), nn.ELU(), nn.AvgPool2d(2), nn.BatchNorm2d(2))
with torch.no_grad():
    for p in net.parameters():
        p.copy_(torch.arange(float(p.numel())).sin().view(p.shape))
x = torch.arange(64.0).view(1, 1, 8, 8).cos()
set_all(net, alpha=0.3, momentum=0.8, stride=1, eps=0.1)
net(x)
results = [net.eval()(x).tolist(), net[3].running_mean.tolist()]
"""


@pytest.mark.frameworks
def test_names_that_the_program_computes(tmp_path: Path) -> None:
    theirs, ours = both_sides(tmp_path, BY_NAMES)
    assert _flat(ours.results) == pytest.approx(_flat(theirs.results), rel=1e-5, abs=1e-5)


def test_a_computed_name_that_no_layer_follows_is_told(tmp_path: Path) -> None:
    told = _told(tmp_path, BY_NAMES.replace("alpha=0.3", 'padding_mode="reflect"'))
    assert len(told) == 1 and "torch.nn.Conv2d.padding_mode, if it is this one" in told[0]
    (tmp_path / "other").mkdir()
    assert not _told(tmp_path / "other", BY_NAMES)
