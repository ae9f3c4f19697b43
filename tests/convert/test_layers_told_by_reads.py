"""Functions that rebuild layers of one kind or another from what they read off them: ``make(d.in_features, …)``, ``make(d.in_channels, …, d.groups)``."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import printed_by_both

PROGRAM = """import torch
from torch import nn


def described(d):
    if "Conv" in d.__class__.__name__:
        return d.in_channels, d.out_channels, tuple(d.kernel_size), d.groups, d.bias is not None
    if "Linear" in d.__class__.__name__:
        return d.in_features, d.out_features, d.bias is not None
    return None


def rebuilt(d):
    return nn.Linear(d.in_features, d.out_features, bias=d.bias is not None)


def table_of(d):
    return d.num_embeddings, d.embedding_dim, d.padding_idx


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Sequential(nn.Conv1d(2, 4, 3, padding=1, groups=2), nn.ReLU(), nn.Conv2d(2, 2, (3, 1)))
        self.b = nn.ModuleDict({"x": nn.Linear(3, 4), "y": nn.Linear(3, 4, bias=False)})
        self.c = nn.Embedding(5, 2)


net = Net()
for name, module in net.named_modules():
    print(name, described(module))
print(described(rebuilt(net._modules["b"]["y"])), table_of(net._modules["c"]))
"""


@pytest.mark.frameworks
def test_each_function_and_case_has_a_layer_of_its_own(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    assert ours == theirs
