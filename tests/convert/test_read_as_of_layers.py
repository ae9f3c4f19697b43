"""Attributes read off something unknown that is asked for what a convolution has: the class that has them must stand."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import converted_script, printed_by_both

PROGRAM = """import torch
import torch.nn as nn


def narrower(model, index):
    _, conv = list(model._modules.items())[index]
    return nn.Conv2d(in_channels=conv.in_channels, out_channels=conv.out_channels - 1, kernel_size=conv.kernel_size, stride=conv.stride,
                     padding=conv.padding, dilation=conv.dilation, groups=conv.groups, bias=(conv.bias is not None))


net = nn.Sequential(nn.Conv2d(2, 4, 3, padding=1), nn.ReLU())
made = narrower(net, 0)
print(made.groups, made.padding, made.stride, tuple(made.weight.shape), tuple(made(torch.ones(1, 2, 4, 4)).shape))
"""


@pytest.mark.frameworks
def test_a_layer_among_the_children(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    assert ours == theirs


def test_one_word_alone_says_nothing(tmp_path: Path) -> None:
    text = converted_script(tmp_path, "import torch.nn as nn\n\n\ndef build(options):\n    return nn.Conv2d(2, options.width, 3), options.groups, options.rate\n\n\nconv = nn.Conv2d(1, 1, 3)\n")
    assert "conv = nn.Conv2d(1, 1, 3, " in text
