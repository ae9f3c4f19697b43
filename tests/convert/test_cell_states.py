"""`__getstate__` and `__setstate__` of modules under `copy.deepcopy`: dictionaries in torch, a pair in MindSpore."""

from __future__ import annotations

from pathlib import Path

import pytest

pytestmark = pytest.mark.frameworks
pytest.importorskip("torch", reason="this file compares the frameworks")
pytest.importorskip("mindspore", reason="this file compares the frameworks")

from tests.convert.both_sides import printed_by_both  # noqa: E402

PROGRAM = """
import copy
import torch
from torch import nn
import torch.nn.functional as F


class Cached(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.cache = nn.Linear(2, 2), {}
        for p in self.parameters():
            p.data.fill_(0.5)

    def __getstate__(self):
        state = self.__dict__.copy()
        state["cache"] = {}
        return state

    def forward(self, x):
        out = self.a(x)
        self.cache[len(self.cache)] = out.detach()
        return out


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.activation = nn.Linear(2, 2), F.relu
        for p in self.parameters():
            p.data.fill_(0.25)

    def __setstate__(self, state):
        if "activation" not in state:
            state["activation"] = F.relu
        super(Layer, self).__setstate__(state)

    def forward(self, x):
        return self.activation(self.a(x))


class Both(Layer):
    def __getstate__(self):
        state = dict(self.__dict__)
        del state["activation"]
        return state

    def __setstate__(self, state):
        state["activation"] = torch.tanh
        self.__dict__.update(state)


class Below(Cached):
    pass


x = torch.ones(1, 2)
for cls in (Cached, Layer, Both, Below):
    net = cls()
    net(x)
    layers = nn.ModuleList([copy.deepcopy(net) for _ in range(2)])
    opt = torch.optim.SGD(layers.parameters(), lr=0.1)
    loss = layers[0](x).sum() + 2 * layers[1](x).sum()
    loss.backward()
    opt.step()
    print([round(p.sum().item(), 4) for p in layers.parameters()], [p.sum().item() for p in net.parameters()], sorted(layers.state_dict()))
    print(len(getattr(layers[0], "cache", ())), layers[0].training, copy.deepcopy(layers.eval())[1].training)
"""


def test_copies_of_such_modules(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    assert ours == theirs
