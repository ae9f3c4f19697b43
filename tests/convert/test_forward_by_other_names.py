"""Other names of `forward` in a class body follow its renaming."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides

PROGRAM = """import torch
from torch import nn


class Field(nn.Module):
    kind = "field"

    def __init__(self):
        super().__init__()
        self.scale = 3.0

    def forward(self, x):
        return x * self.scale

    drift = forward
    parts: tuple = (forward, kind)
    quiet = torch.no_grad()(forward)
    other = staticmethod(lambda x: x + 1)


class Direct(Field):
    def doubled(self, x):
        return 2 * x

    forward = doubled


net, direct = Field(), Direct()
x = torch.ones(2, requires_grad=True)
values = [net(x).tolist(), net.drift(x).tolist(), Field.parts[0](net, x).tolist(), net.quiet(x).tolist(), net.other(1), direct(x).tolist()]
"""


@pytest.mark.frameworks
def test_the_names_mean_the_method(tmp_path: Path) -> None:
    """``f = forward`` raised NameError when the file was imported."""
    theirs, ours = both_sides(tmp_path, PROGRAM)
    assert ours.values == theirs.values
