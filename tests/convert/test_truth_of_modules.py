"""``if self.heads:`` asks how many there are; MindSpore's cells are true with nothing in them."""

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
    def __init__(self, n):
        super().__init__()
        self.parts, self.extra = nn.ModuleList(nn.Linear(2, 2) for _ in range(n)), nn.Linear(2, 2)

    def __len__(self):
        return len(self.parts)


class Sure(Stack):
    def __bool__(self):
        return True


class Heads(nn.Module):
    def __init__(self, n, aux=None):
        super().__init__()
        self.heads = nn.ModuleDict({str(i): nn.Linear(2, 2) for i in range(n)})
        self.stack, self.sure, self.plain = Stack(n), Sure(0), nn.ModuleList(nn.ReLU() for _ in range(n))

    def forward(self, x):
        if self.heads and not self.stack:
            return "never"
        if not self.sure:
            return "never"
        kind = "heads" if self.heads else "nothing"
        return kind, bool(self.stack), 1 if self.plain else 0


def asked(flag):
    found = None
    if flag:
        found = Stack(flag - 1)
    return 1 if not found else 2


print([Heads(n)(1) for n in (0, 2)], [len(s) for s in [Stack(0), Stack(2)] if s], [asked(k) for k in range(3)])
print(len(list(Heads(0).parameters())))
"""


def test_modules_that_hold_nothing(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    assert ours == theirs
