"""One branch registers a buffer and another a parameter under the same name (GINConv's ``eps``): the parameter is trained."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides, converted_script

PROGRAM = """import torch
from torch import nn


class Scaled(nn.Module):
    def __init__(self, train_eps):
        super().__init__()
        if train_eps:
            self.eps = nn.Parameter(torch.Tensor([0.0]))
        else:
            self.register_buffer("eps", torch.Tensor([0.0]))

    def forward(self, x):
        return (1 + self.eps) * x


trained, fixed = Scaled(True), Scaled(False)
trainable = [sum(p.numel() for p in m.parameters()) for m in (trained, fixed)]
"""


def test_a_parameter_is_no_buffer(tmp_path: Path) -> None:
    text = converted_script(tmp_path, PROGRAM)
    assert "self.eps = Parameter(" in text and 'self.register_buffer("eps", Parameter(' not in text


@pytest.mark.frameworks
def test_both_sides_train_it(tmp_path: Path) -> None:
    torch, mindspore = both_sides(tmp_path, PROGRAM)
    assert torch.trainable == mindspore.trainable == [1, 0]
