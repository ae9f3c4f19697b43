"""The PyTorch half of the pair that the tests compare."""

import os
import signal
from collections import namedtuple
from dataclasses import dataclass

import torch
from torch import nn

Named = namedtuple("Named", "first second")


@dataclass
class Boxes:
    boxes: torch.Tensor
    labels: list


class Net(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.conv = nn.Conv2d(3, width, 3, padding=1)
        self.norm = nn.BatchNorm2d(width)
        self.act = nn.ReLU(inplace=True)
        self.left = nn.Linear(width, 5)
        self.right = nn.Linear(width, 5)
        self.register_buffer("shift", torch.arange(5.0))

    def forward(self, x, fault=None):
        x = self.act(self.norm(self.conv(x))).mean((2, 3))
        return {"left": self.left(x), "right": self.right(x) + self.shift, "top": x.argmax(1)}


class Dropping(nn.Module):
    def __init__(self):
        super().__init__()
        self.line = nn.Linear(8, 8)

    def forward(self, x):
        return nn.functional.dropout(self.line(x), 0.5, self.training)


def structured(x, ids, scale, dtype, sizes):
    assert isinstance(sizes, tuple)
    return Boxes((x * scale).to(dtype), [Named(ids + 1, None), {"flag": ids > 2, "size": x.shape[0]}])


def refuse(x):
    assert x.numel() == 4
    return x


def half(x):
    return x * 2


def crash(x):
    os.kill(os.getpid(), signal.SIGSEGV)


def broken(x):
    raise ValueError("no such thing\n\nas this")
