"""``it.__next__()`` gives what ``next(it)`` gives: batches of a loader whose ``.cuda()`` goes."""

from __future__ import annotations

from pathlib import Path

from tests.convert.both_sides import converted_script

PROGRAM = """\
import torch
from torch.utils.data import DataLoader


def train(loader):
    it = iter(loader)
    x, y = it.__next__()
    x, y = x.cuda(), y.cuda()
    return x.size(0) + y.sum().item()


print(train(DataLoader([(torch.ones(2), 3)] * 3, batch_size=2)))
"""


def test_batches_are_tensors(tmp_path: Path) -> None:
    text = converted_script(tmp_path, PROGRAM)
    assert ".cuda()" not in text and "return x.shape[0] + y.sum().item()" in text
