"""``s * kernel``, where the kernel's class has ``__rmul__`` and s is a tensor."""

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


class Fn:
    def __init__(self, w):
        self.w = w

    def __call__(self, x):
        return x @ self.w

    def __mul__(self, s):
        return Times(self, s)

    __rmul__ = __mul__

    def __rsub__(self, other):
        return other - self.w.sum()


class Times(Fn):
    def __init__(self, inner, s):
        self.inner, self.s = inner, s

    def __call__(self, x):
        return self.s * self.inner(x)


w, s = nn.Parameter(torch.arange(6.0).view(3, 2)), nn.Parameter(torch.tensor(0.5))
f, g = s * Fn(w), 2.0 * Fn(w)
once = Fn(w)
h = s * once
loss = f(torch.ones(1, 3)).sum() + g(torch.ones(1, 3)).sum() + h(torch.ones(1, 3)).sum() + (s - once)
loss.backward()
print(loss.item(), s.grad.item(), w.grad.tolist())
"""


def test_objects_that_answer_for_tensors(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    assert ours == theirs
