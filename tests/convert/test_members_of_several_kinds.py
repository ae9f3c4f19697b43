"""Members of what is a tensor from one caller and from another an object that has such a member itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import converted_script, printed_by_both

BATCHES = """
import torch


class Batch:
    def __init__(self, x, moved=0):
        self.x, self.moved = x, moved

    def to(self, device):
        return Batch(self.x, self.moved + 1)

    def size(self):
        return 5

    def cpu(self):
        return [self.moved]

    def mean(self, dim):
        return self.x.sum() + dim

    @property
    def data(self):
        return self.x * 10


def move(b):
    return b.to("cpu")


def count(b):
    return b.size()


def average(b):
    return b.mean(0)


def raw(b):
    return b.data


def held(b):
    return b.cpu()


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.moved = 7

    def cpu(self):
        return [self.moved]


x = torch.ones(2, 3)
b = Batch(x)
print(held(Net()), move(Net()).moved)
print(move(x).sum().item(), move(b).moved)
print(list(count(x)), count(b))
print(average(x).sum().item(), average(b).sum().item())
print(raw(x).sum().item(), raw(b).sum().item())
print(held(x).sum().item(), held(b))
"""

PACKED = """
import torch
from torch import nn
from torch.nn.utils.rnn import PackedSequence, pack_padded_sequence


class Doubled(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.tensor([3.0]))

    def forward(self, x):
        is_packed = isinstance(x, PackedSequence)
        values = x.data if is_packed else x
        out = values * self.weight
        return PackedSequence(out, x.batch_sizes) if is_packed else out


layer = Doubled()
rows = torch.arange(6.0).view(2, 3, 1)
packed = layer(layer(pack_padded_sequence(rows, torch.tensor([3, 2]), batch_first=True)))
print(packed.data.flatten().tolist(), packed.batch_sizes.tolist())
loss = packed.data.sum() + layer(rows).sum()
loss.backward()
print(loss.item(), layer.weight.grad.tolist())
"""


@pytest.mark.frameworks
@pytest.mark.parametrize("program", [BATCHES, PACKED])
def test_the_object_keeps_its_own(tmp_path: Path, program: str) -> None:
    theirs, ours = printed_by_both(tmp_path, program)
    assert theirs == ours


def test_what_is_a_tensor_everywhere_is_not_asked(tmp_path: Path) -> None:
    text = "import torch\n\n\nclass Batch:\n    def to(self, device):\n        return 1\n\n\ndef move(b):\n    return b.to('cpu')\n\n\nprint(move(torch.ones(2)), Batch().to(3))\n"
    assert "method(" not in converted_script(tmp_path, text)
