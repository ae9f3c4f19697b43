"""Layers that overwrite their input, behind another one in a sequence that is built by names: nobody reads what they overwrite."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover

PROGRAM = """from collections import OrderedDict

import torch
import torch.nn as nn


class Conv(nn.Sequential):
    def __init__(self, n):
        super(Conv, self).__init__()
        self.add_module('norm', nn.BatchNorm2d(n))
        self.add_module('relu', nn.ReLU(inplace=True))
        self.add_module('conv', nn.Conv2d(n, n, 1)),
        self.add_module('act', nn.ReLU(inplace=True)),


class First(nn.Sequential):
    def __init__(self):
        super().__init__()
        self.add_module('begin', nn.ReLU(inplace=True))  # told
        self.add_module('asked', nn.ReLU(inplace=True))  # told

    def forward(self, x):
        return self.asked(x)


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.add_module('a', nn.Conv2d(1, 1, 1))
        self.add_module('b', nn.ReLU(inplace=True))  # told


features = nn.Sequential()
features.add_module('c', nn.Conv2d(1, 1, 1))
features.add_module('r', nn.ReLU(inplace=True))
named = nn.Sequential(OrderedDict([
    ('conv0', nn.Conv2d(3, 3, 1)),
    ('relu0', nn.ReLU(inplace=True)),
]))


class Named(nn.Sequential):
    def __init__(self):
        super().__init__(OrderedDict([('conv0', nn.Conv2d(3, 3, 1)), ('relu0', nn.ReLU(inplace=True))]))


early = nn.Sequential(OrderedDict([('relu9', nn.ReLU(inplace=True)), ('conv9', nn.Conv2d(3, 3, 1))]))  # told
"""

LISTS = """import torch.nn as nn


class Other(nn.Module):
    def __init__(self):
        super().__init__()
        self.relu = nn.Sigmoid()

    def forward(self, x):
        return self.relu(x)


class Asked(nn.Sequential):
    def __init__(self):
        super().__init__()
        self.add_module('conv', nn.Conv2d(1, 1, 1))
        self.add_module('relu', nn.ReLU(inplace=True))


def make_layers(widths):
    layers = []
    for n in widths:
        layers += [nn.Conv2d(n, n, 1), nn.ReLU(inplace=True)]
    return nn.Sequential(*layers)


def appended(n, deep):
    layers = []
    layers.append(nn.Conv2d(n, n, 1))
    layers.append(nn.ReLU(True))
    if deep:
        layers.extend([nn.BatchNorm2d(n), nn.ReLU(True)])
    return nn.Sequential(*layers)


def first():
    layers = []
    layers.append(nn.ReLU(inplace=True))  # told
    layers.append(nn.Conv2d(1, 1, 1))
    return nn.Sequential(*layers)


def apart(n):
    layers = [nn.Conv2d(n, n, 1), nn.ReLU(inplace=True)]  # told
    return nn.Sequential(*layers), layers[1]


def kept(n):
    layers = [nn.Conv2d(n, n, 1), nn.ReLU(inplace=True)]  # told
    return layers


def by_name(n):
    relu = nn.ReLU(inplace=True)
    return nn.Sequential(nn.Conv2d(n, n, 1), relu, nn.Conv2d(n, n, 1), relu)


def first_by_name(n):
    relu = nn.ReLU(inplace=True)  # told
    return nn.Sequential(relu, nn.Conv2d(n, n, 1), relu)


def called_by_name(x):
    relu = nn.ReLU(inplace=True)  # told
    return relu(x)


def replaced_by_name(n, x):
    relu = nn.ReLU(inplace=True)  # told
    block = nn.Sequential(nn.Conv2d(n, n, 1), relu)
    relu = nn.Sigmoid()
    return block(x) + relu(x)


class Upsample(nn.Sequential):
    def __init__(self, n, times):
        m = []
        for _ in range(times):
            m.append(nn.Conv2d(n, 4 * n, 3, 1, 1))
            m.append(nn.PixelShuffle(2))
            m.append(nn.LeakyReLU(0.1, inplace=True))
        m.append(nn.Conv2d(n, n, 3, 1, 1))
        super(Upsample, self).__init__(*m)


class Plain(nn.Module):
    def __init__(self, n):
        m = []
        m.append(nn.Conv2d(n, n, 1))
        m.append(nn.ReLU(inplace=True))  # told
        super().__init__(*m)


def moved(n):
    layers = [nn.Conv2d(n, n, 1)]
    layers.append(nn.ReLU(inplace=True).cuda())
    return nn.Sequential(*layers)


def starred(n):
    return nn.Sequential(*[nn.Conv2d(n, n, 1), nn.ReLU(inplace=True)])


def first_starred(n):
    return nn.Sequential(*[nn.ReLU(inplace=True), nn.Conv2d(n, n, 1)])  # told
"""


@pytest.mark.parametrize("program", [PROGRAM, LISTS])
def test_what_is_told(tmp_path: Path, program: str) -> None:
    (tmp_path / "script.py").write_text(program, encoding="utf-8")
    told = {finding.span.line for finding in convert(discover(tmp_path)).findings if finding.code == "MP109"}
    assert told == {number for number, line in enumerate(program.splitlines(), 1) if line.endswith("# told")}
