"""Batch normalisation whose statistics are given up, or no longer moved on, after it was made (TENT and its kin)."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover
from tests.convert.both_sides import printed_by_both

PROGRAM = """import torch
import torch.nn as nn

SHAPES = {1: (6, 3), 2: (4, 3, 2, 2), 3: (4, 3, 2, 2, 2)}


def wave(*shape, by=0.9):
    return torch.sin(torch.arange(float(torch.Size(shape).numel())) * by + by).reshape(shape)


def rounded(x):
    return [round(v, 3) + 0.0 for v in x.flatten().tolist()[:7]]


for n, kind in ((1, nn.BatchNorm1d), (2, nn.BatchNorm2d), (3, nn.BatchNorm3d)):
    net = nn.Sequential(kind(3), nn.Tanh())
    x = wave(*SHAPES[n])
    net(x * 3 + 1)
    for m in net.modules():
        if isinstance(m, (nn.BatchNorm1d, nn.BatchNorm2d, nn.BatchNorm3d)):
            CHANGE
    for training in (True, False):
        net.train(training)
        print(n, training, rounded(net(x)), rounded(net(x * 2)))
    print([name for name, _ in net.named_buffers() if "num_batches" not in name], [rounded(b) for name, b in net.named_buffers() if "num_batches" not in name])
"""
CHANGES = {
    "both given up": "m.track_running_stats = False; m.running_mean = None; m.running_var = None",
    "in one statement": "m.running_mean = m.running_var = m.num_batches_tracked = None",
    "not moved on": "m.track_running_stats = False",
    "moved on again": "m.track_running_stats = False\n            m.track_running_stats = n > 0",
}


@pytest.mark.frameworks
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_statistics_are_asked_in_each_call(change: str, tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM.replace("CHANGE", change))
    assert theirs == ours


def test_a_class_of_the_projects_keeps_its_own_switch(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text("""import torch
from torch import nn


class Norm(nn.Module):
    def __init__(self):
        super().__init__()
        self.track_running_stats = True
        self.running_mean = None

    def stop(self):
        self.track_running_stats = False
""")
    assert all("set_statistics" not in text for text in convert(discover([tmp_path])).files.values())
