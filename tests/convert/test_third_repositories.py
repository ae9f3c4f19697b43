"""Forms of public repositories: bounds that are tensors with an axis, arrays that ``np.r_`` makes, the class of a tensor and a module that are handed on to be asked, the size of what has `new`,
lists of layers by NumPy's numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover
from tests.convert.both_sides import printed_by_both

PROGRAM = """
import json
import numpy as np
import torch
from torch import nn


def cut(x, n):
    at = torch.randint(n, n + 1, size=(1,)).long().to(x.device)
    other = torch.tensor([n // 2])
    return x[:, :at + 1], x[other:, :other + 1], x[:, :torch.argmax(x[0])]


def chosen(x, n):
    x[..., np.r_[:2, 3:n]] = x[..., np.r_[:2, 3:n]] + 1
    return x


def drawn(shape, kind=torch.FloatTensor):
    return kind(*shape).fill_(2), kind(np.ones(3))


def beside(x):
    return drawn(x.shape, kind=type(x.data)) + drawn(x.shape, type(x))


class Beam:
    def __init__(self, size, cuda=False):
        self.tt = torch.cuda if cuda else torch
        self.scores = self.tt.FloatTensor(size).zero_()
        self.next = [self.tt.LongTensor(size).fill_(3)]
        self.next[0][0] = 2


class Held:
    pass


def corners(prediction):
    box = prediction.new(prediction.shape)
    box[..., 0] = prediction[..., 1]
    box[..., 1] = prediction[..., 0]
    return box


class Steps(nn.Module):
    def __init__(self):
        super().__init__()
        self.steps = nn.ModuleList([nn.Identity() for _ in range(3)])

    def forward(self, x):
        for i in np.arange(1, 3):
            x = self.steps[i](x) + self.steps[i - 1](x)
        return x


print(Steps()(torch.ones(2)).tolist())
held = Held()
setattr(held, "x", torch.arange(6.0).view(3, 2))
print(corners(getattr(held, json.loads('"x"'))).tolist())
beam = Beam(4)
for one in (*cut(torch.arange(12.0).view(3, 4), 1), chosen(torch.arange(12.0).view(2, 6), 5), *drawn((2, 1)), *beside(torch.ones(2, 3)), beam.scores, beam.next[0]):
    print(one.tolist(), one.dtype == torch.float32)
"""


@pytest.mark.frameworks
def test_prints_what_torch_prints(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    assert theirs and ours == theirs


def test_bounds_without_axes_stay(tmp_path: Path) -> None:
    text = "import torch\n\n\ndef cut(x, lengths):\n    return x[: torch.argmax(x[0])], x[: lengths], x[: torch.tensor(3)]\n"
    (tmp_path / "program.py").write_text(text, encoding="utf-8")
    ours = next(iter(convert(discover(tmp_path)).files.values()))
    assert "int(" not in ours
