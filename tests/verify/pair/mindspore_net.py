"""The MindSpore half of the pair, with faults to be found."""

import os
import signal
from collections import namedtuple
from dataclasses import dataclass

import mindspore as ms
from mindspore import nn, ops

Named = namedtuple("Named", "first second")


@dataclass
class Boxes:
    boxes: ms.Tensor
    labels: list


class Net(nn.Cell):
    def __init__(self, width=4, renamed=False):
        super().__init__()
        self.conv = nn.Conv2d(3, width, 3, pad_mode="pad", padding=1, has_bias=True)
        self.norm = nn.BatchNorm2d(width)
        self.act = nn.ReLU()
        self.left = nn.Dense(width, 5)
        if renamed:
            self.rihgt = nn.Dense(width, 5)
        else:
            self.right = nn.Dense(width, 5)
        self.register_buffer("shift", ms.Tensor([0.0] * 5, ms.float32))
        self.gelu = nn.GELU()

    def construct(self, x, fault=None):
        x = self.norm(self.conv(x))
        if fault == "layer":
            self.act.construct = lambda v: ops.relu(v) + 0.25 * (v < -1).astype(v.dtype)
        x = self.act(x).mean((2, 3))
        self.act.construct = ops.relu
        out = {"left": self.left(x), "right": self.right(x) + self.shift, "top": x.argmax(1).astype(ms.int64)}
        if fault == "nan":
            out["right"][1, 2] = float("nan")
        if fault == "dtype":
            out["top"] = out["top"].astype(ms.int32)
        if fault == "missing":
            del out["left"]
        if fault == "unexpected":
            out["more"] = x
        if fault == "shape":
            out["left"] = out["left"].swapaxes(0, 1)
        if fault == "integer":
            out["top"] = out["top"] + 1
        if fault == "gradient":
            out["left"] = ops.stop_gradient(out["left"])
        return out


class Dropping(nn.Cell):
    def __init__(self):
        super().__init__()
        self.line = nn.Dense(8, 8)

    def construct(self, x):
        return ops.dropout(self.line(x), 0.5, self.training)


def structured(x, ids, scale, dtype, sizes):
    assert isinstance(sizes, tuple)
    return Boxes((x * scale).astype(dtype), (Named(ids + 1, None), {"flag": ids > 2, "size": x.shape[0]}))


def refuse(x):
    assert x.numel() == 4
    return x


def half(x):
    return x * 2


def crash(x):
    os.kill(os.getpid(), signal.SIGSEGV)


def broken(x):
    raise ValueError("no such thing\n\nas this")
