"""Deep copies of parts and values of parameters, which MindSpore lets share the parameter's memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides, converted_script, equal_tensors, printed_by_both

PROGRAM = """
import copy
from copy import deepcopy

import torch
from torch import nn

net = nn.Linear(3, 2)
with torch.no_grad():
    net.weight.copy_(torch.arange(6.0).reshape(2, 3))
    net.bias.zero_()
start = copy.deepcopy({name: p.data for name, p in net.named_parameters()})
row, turned = deepcopy(net.weight.detach()[0]), deepcopy([net.weight.data.t()])
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
net(torch.ones(4, 3)).sum().backward()
optimizer.step()
start["bias"] += 1
kept = [start["weight"], start["bias"], row, turned[0], net.weight.detach(), net.bias.detach()]
"""


@pytest.mark.frameworks
def test_what_was_copied_stays(tmp_path: Path) -> None:
    expected, actual = both_sides(tmp_path, PROGRAM)
    equal_tensors(expected.kept, actual.kept)


def test_networks_need_nothing(tmp_path: Path) -> None:
    text = "import copy\n\nfrom torch import nn\n\nnet = nn.Linear(3, 2)\nother = copy.deepcopy(net)\n"
    assert "DEEP_COPIES" not in converted_script(tmp_path, text)


AVERAGED = """
import copy

import torch
from torch import nn

net = nn.Sequential(nn.Conv1d(2, 3, 1), nn.Linear(4, 2))
for p in net.parameters():
    p.data.fill_(1.0)
optimizer = torch.optim.AdamW(net.parameters(), lr=0.1)
average = copy.deepcopy(net.state_dict())
net(torch.ones(1, 2, 4)).pow(2).mean().backward()
optimizer.step()
kept = [0.9 * average[k] + 0.1 * v for k, v in net.state_dict().items()]
"""


@pytest.mark.frameworks
def test_averages_of_states(tmp_path: Path) -> None:
    """The weight of a one-dimensional convolution is a view in a state: its copy moved with the network, silently."""
    expected, actual = both_sides(tmp_path, AVERAGED)
    equal_tensors(expected.kept, actual.kept)


BUFFERS = """
import copy

import torch
from torch import nn


class Running(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mean", torch.zeros(3))
        self.count = torch.tensor(0)
        self.scale = nn.Parameter(torch.ones(3))

    def forward(self, x):
        self.mean.mul_(0.5).add_(x.mean(0), alpha=0.5)
        self.count += 1
        return (x - self.mean) * self.scale


net = nn.Sequential(Running(), nn.Tanh())
teacher = copy.deepcopy(net)
before = copy.deepcopy(net.state_dict())
net(torch.ones(2, 3))
kept = [teacher[0].mean, teacher[0].count, before["0.mean"], net[0].mean, net[0].count]
teacher.load_state_dict(net.state_dict())
net[0].mean.zero_()
kept.append(teacher[0].mean)
"""


@pytest.mark.frameworks
def test_buffers_of_copied_networks_are_their_own(tmp_path: Path) -> None:
    expected, actual = both_sides(tmp_path, BUFFERS)
    equal_tensors(expected.kept, actual.kept)


KEPT_ELSEWHERE = """
import torch
from keeping import Best

rows, best = [torch.arange(3.0), torch.ones(2)], Best()
best.keep(rows)
for row in rows:
    row.mul_(0)
print([row.tolist() for row in rows], [row.tolist() for row in best.kept])
# ==== keeping.py
import copy


class Best:
    def keep(self, state):
        self.kept = copy.deepcopy(state)
"""


@pytest.mark.frameworks
def test_files_without_pytorch_copy_too(tmp_path: Path) -> None:
    """The copy shared its memory with the tensors: the setting was asked for by files alone that use PyTorch."""
    theirs, ours = printed_by_both(tmp_path, KEPT_ELSEWHERE)
    assert ours == theirs == "[[0.0, 0.0, 0.0], [0.0, 0.0]] [[0.0, 1.0, 2.0], [1.0, 1.0]]\n"
    assert (tmp_path / "after" / "keeping.py").read_text(encoding="utf-8") == (tmp_path / "before" / "keeping.py").read_text(encoding="utf-8")
