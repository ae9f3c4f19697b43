"""Weights of losses are buffers: state dictionaries hold them, loading and assigning change them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import printed_by_both

PROGRAM = """import copy

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 3)
        w = torch.tensor([1.0, 2.0, 3.0])
        self.entropy = nn.CrossEntropyLoss(weight=w)
        self.picked = nn.NLLLoss(weight=w)
        self.binary = nn.BCELoss(weight=w)
        self.logits = nn.BCEWithLogitsLoss(weight=w, pos_weight=w)
        self.margin = nn.MultiMarginLoss(weight=w)
        self.labels = nn.MultiLabelSoftMarginLoss(weight=w)
        self.plain = nn.CrossEntropyLoss()


def losses(net):
    x, y = torch.tensor([[0.5, -0.3, 0.2], [0.1, 0.2, 0.3]]), torch.tensor([1, 2])
    found = [net.entropy(x, y), net.picked(x, y), net.binary(x.abs(), x.abs()), net.logits(x, x), net.margin(x, y), net.labels(x, x.ceil()), net.plain(x, y)]
    print(*[f"{loss.item():.4f}" for loss in found])


net = Net()
print(sorted(net.state_dict()), sorted(name for name, _ in net.named_parameters()), len(list(net.named_buffers())))
losses(net)
net.load_state_dict({key: value * 2 for key, value in net.state_dict().items()})
losses(net)
net.entropy.weight = torch.tensor([3.0, 1.0, 1.0])
net.logits.pos_weight = None
losses(net)
print(sorted(copy.deepcopy(net).state_dict()), net.entropy.weight.tolist(), net.plain.weight is None)
"""


@pytest.mark.frameworks
def test_both_sides(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    assert theirs == ours
