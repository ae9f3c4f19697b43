"""``layers.extend(nn.Linear(2, 2) for _ in range(3))``: a generator whose parentheses are the call's, where the receiver becomes an argument beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

pytestmark = pytest.mark.frameworks
pytest.importorskip("torch", reason="this file compares the frameworks")
pytest.importorskip("mindspore", reason="this file compares the frameworks")

from tests.convert.both_sides import printed_by_both  # noqa: E402

PROGRAM = """
import torch
from torch import nn


class Stack(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList()
        self.layers.extend(nn.Linear(2, n) for n in (1, 2))
        self.layers += (nn.Linear(2, 2) for _ in range(1))
        self.scales = nn.ParameterList()
        self.scales.extend(nn.Parameter(torch.ones(2)) for _ in range(2))
        self.tail = nn.Sequential()
        self.tail.extend(nn.ReLU()
                         for _ in range(2))


stack = Stack()
print(len(stack.layers), len(stack.scales), len(stack.tail), [tuple(p.shape) for p in stack.parameters()])
"""


def test_the_generator_keeps_parentheses(tmp_path: Path) -> None:
    expected, found = printed_by_both(tmp_path, PROGRAM)
    assert found == expected
    assert "extend(self.layers, (nn.Dense(2, n) for n in (1, 2)))" in (tmp_path / "after" / "program.py").read_text()
