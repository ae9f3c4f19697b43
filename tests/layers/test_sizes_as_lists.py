"""Sizes of windows given as lists: MindSpore takes tuples alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mindport.convert import convert
from mindport.source.discover import discover
from tests.convert.both_sides import both_sides

PROGRAM = """from torch import nn

known = nn.Conv2d(3, 4, [3, 3], stride=[2, 2])
unknown = lambda size: nn.Conv2d(3, 4, size)


class Same(nn.Conv2d):
    pass
"""


def test_a_list_that_is_seen_needs_the_vendored_layer(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    text = next(text for path, text in convert(discover(tmp_path)).files.items() if path.name == "program.py")
    assert "known = Conv2d(3, 4, [3, 3], stride=[2, 2])" in text and "nn.Conv2d(3, 4, size" in text


@pytest.mark.frameworks
def test_the_vendored_layers_take_lists() -> None:
    import mindspore as ms

    from mindport.layers.convolution import Conv2d, Conv3d
    from mindport.layers.pooling import AvgPool2d, MaxPool2d
    from mindport.layers.transposed_convolution import ConvTranspose2d

    x = ms.Tensor(np.zeros((1, 4, 8, 8), np.float32))
    assert Conv2d(4, 6, [3, 3], [2, 1], [1, 0], [1, 1])(x).shape == (1, 6, 4, 6)
    assert Conv2d(4, 6, 3, stride=[2])(x).shape == (1, 6, 3, 3)
    assert MaxPool2d([3, 2], [2, 2], [1, 1])(x).shape == (1, 4, 4, 5)
    assert AvgPool2d([3, 2])(x).shape == (1, 4, 2, 4)
    assert ConvTranspose2d(4, 2, [2, 2], [2, 2])(x).shape == (1, 2, 16, 16)
    assert Conv3d(4, 6, [3, 3, 3], [2, 1, 1])(ms.Tensor(np.zeros((1, 4, 8, 8, 8), np.float32))).shape == (1, 6, 3, 6, 6)


PADS = """import torch
from torch import nn


def padded(name, x):
    kind = {"reflect": nn.ReflectionPad2d, "replicate": nn.ReplicationPad2d, "zero": nn.ZeroPad2d}[name]
    return kind([1, 2, 0, 1])(torch.tensor(x)), nn.ReflectionPad2d([1, 1, 1, 1])(torch.tensor(x))
"""


@pytest.mark.frameworks
def test_widths_of_borders_are_lists(tmp_path: Path) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, PADS)
    x = np.random.default_rng(0).standard_normal((2, 3, 4, 5)).astype(np.float32)
    for name in ("reflect", "replicate", "zero"):
        for one, other in zip(torch_side.padded(name, x), mindspore_side.padded(name, x), strict=True):
            np.testing.assert_array_equal(other.asnumpy(), one.numpy())
