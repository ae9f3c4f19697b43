"""Rows of a storage that a counter names, bounded by the command line, are written as in torch."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import printed_by_both

_PROGRAM = """
import argparse

import torch


class Storage(object):
    def __init__(self, num_steps, width):
        self.rows = torch.zeros(num_steps + 1, width)
        self.kinds = torch.zeros(num_steps, 1).long()
        self.num_steps = num_steps
        self.step = 0

    def insert(self, row, kind):
        self.rows[self.step + 1].copy_(row)
        self.kinds[self.step].copy_(kind)
        self.step = (self.step + 1) % self.num_steps

    def after_update(self):
        self.rows[0].copy_(self.rows[-1])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--num-steps", type=int, default=3)
    args = parser.parse_args()
    torch.backends.cudnn.benchmark = True
    storage = Storage(args.num_steps, 2)
    storage.rows[0].copy_(torch.ones(2) * 5)
    for turn in range(4):
        storage.insert(torch.ones(2) * (turn + 1), torch.tensor([turn]))
        print(storage.rows.tolist(), storage.kinds.tolist())
    storage.after_update()
    print(storage.rows.tolist())


main()
"""


@pytest.mark.frameworks
def test_rows_are_written(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, _PROGRAM)
    assert ours == theirs
