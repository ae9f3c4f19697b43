"""A layer's text that is taken apart names the layer as torch does."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import converted_script, printed_by_both

PROGRAM = """import torch.nn as nn


class Learned(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 2, 3)
        self.act = nn.ReLU()


class Own(nn.Module):
    def __repr__(self):
        return "Mine(3)"


def kind(layer):
    text = str(layer)
    return text[:text.find('(')].strip()


net = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm2d(3), nn.Dropout(0.3), nn.ConvTranspose2d(1, 1, 2), Learned(), Own(), nn.ModuleList([nn.Tanh()]))
print([kind(m) for m in net.modules()], kind(3.5))
print([m.__str__().startswith('Learned') for m in net.children()], 'Conv2d' in repr(net[4]))
lines = str(net[4]).split('\\n')
print(lines[0], len(lines), lines[-1], lines[1].split('(')[:2], str(net[-1]).split('\\n')[1])
"""


@pytest.mark.frameworks
def test_what_is_looked_into(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    assert ours.splitlines()[0] == theirs.splitlines()[0]
    assert ours.splitlines()[1] == theirs.splitlines()[1]
    assert ours.splitlines()[2] == theirs.splitlines()[2]


def test_what_is_printed_stays(tmp_path: Path) -> None:
    text = converted_script(tmp_path, "import torch.nn as nn\n\nnet = nn.Linear(2, 3)\nprint(str(net))\nlog = 'net: ' + str(net)\n")
    assert "print(str(net))" in text
    assert "+ str(net)" in text
