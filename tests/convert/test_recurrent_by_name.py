"""Recurrent layers that a text names: which it is, and `flatten_parameters`, which they alone have."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides, converted_script

PROGRAM = """import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.rnn = getattr(nn, kind.upper())(2, 3, batch_first=True)

    def forward(self, x):
        self.rnn.flatten_parameters()
        return self.rnn(x)[0]


def prepared(net):
    net.flatten_parameters()
    return net


class Holder(nn.Module):
    def __init__(self, core):
        super().__init__()
        self.core = core

    def forward(self, x):
        self.core.flatten_parameters()
        return self.core(x)[0]


x = torch.ones(1, 4, 2)
shapes = [tuple(Encoder(kind)(x).shape) for kind in ("lstm", "gru")]
shapes.append(tuple(Holder(prepared(nn.RNN(2, 5, batch_first=True)))(x).shape))
traced = torch._C._is_tracing()
"""


def test_nothing_is_left_of_flatten_parameters(tmp_path: Path) -> None:
    """Where nobody knew what layer it is, the call stayed: MindSpore's layers have no such method."""
    assert "flatten_parameters" not in converted_script(tmp_path, PROGRAM)


def test_a_method_of_the_projects_own_stays(tmp_path: Path) -> None:
    own = "import torch\n\n\nclass Tree:\n    def flatten_parameters(self):\n        return torch.ones(2)\n\n\ndef run(tree):\n    return tree.flatten_parameters()\n"
    assert "tree.flatten_parameters()" in converted_script(tmp_path, own)


@pytest.mark.frameworks
def test_both_sides_run(tmp_path: Path) -> None:
    theirs, ours = both_sides(tmp_path, PROGRAM)
    assert ours.shapes == theirs.shapes
    assert ours.traced is theirs.traced is False
