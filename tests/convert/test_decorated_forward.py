"""``@add_to_class(Net)`` above ``def forward``: a method that is set into a module class under the function's own name."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides, converted_script, equal_tensors

PROGRAM = """
import torch
from torch import nn


def add_to_class(cls):
    def wrapper(function):
        setattr(cls, function.__name__, function)
    return wrapper


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(2))


@add_to_class(Net)
def forward(self, x, shift=0):
    return self.scale * x + shift


net = Net()
kept = [net(torch.arange(2.0)).detach(), net(torch.ones(1, 2), shift=2).detach()]
"""


def test_other_decorators_leave_the_name(tmp_path: Path) -> None:
    text = "import functools\nimport torch\n\n\n@functools.lru_cache(maxsize=None)\ndef forward(x):\n    return torch.relu(x)\n"
    assert "def forward(x):" in converted_script(tmp_path, text)


@pytest.mark.frameworks
def test_both_sides(tmp_path: Path) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, PROGRAM)
    equal_tensors(torch_side.kept, mindspore_side.kept)
