"""``type(x)(sizes)``: the class of a tensor makes tensors."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides, converted_script

PROGRAM = """import torch


def running(rewards, decay):
    kind = type(rewards)
    sums = kind(rewards.size(0), 1)
    total = 0
    for step in reversed(range(len(rewards))):
        total = rewards[step] + decay * total
        sums[step] = total
    return sums


def beside(x: torch.Tensor):
    return type(x)([1, 2]), type(x)(2, 3).zero_(), type(torch.ones(1, dtype=torch.int64))([3])


def moved(*things):
    return [thing.to("cpu") for thing in things]


def running_moved(rewards):
    net, rewards = moved(torch.nn.Linear(1, 1), rewards)
    kind = type(rewards)
    sums = kind(rewards.size(0), 1)
    sums[:] = rewards
    return sums


def centred(batch):
    kind = type(batch.data)
    batch = torch.cat((batch, batch))
    mean = kind(batch.size())
    mean[:, 0], mean[:, 1] = 2.0, 1.0
    return batch - mean


def rebuilt(batch):
    return type(batch)(e * 2 for e in batch)


class Meter:
    def __init__(self, width, height):
        self.area = width * height

    def doubled(self, x):
        return type(self)(2, 3).area + float(torch.ones(1))


def widened(meter):
    return type(meter)(4, 5).area
"""


@pytest.mark.frameworks
def test_both_sides_agree(tmp_path: Path) -> None:
    import torch
    from mindspore import Tensor

    before, after = both_sides(tmp_path, PROGRAM)
    theirs = before.running(torch.tensor([1.0, 2.0, 4.0]), 0.5)
    ours = after.running(Tensor([1.0, 2.0, 4.0]), 0.5)
    moved = before.running_moved(torch.ones(2, 1)), after.running_moved(Tensor([[1.0], [1.0]]))
    centred = before.centred(torch.ones(2, 2)), after.centred(Tensor([[1.0, 1.0], [1.0, 1.0]]))
    pairs = [(theirs, ours), moved, centred, *zip(before.beside(torch.ones(2)), after.beside(Tensor([1.0, 1.0])), strict=True)]
    for expected, made in pairs:
        assert str(made.dtype).lower() == str(expected.dtype).removeprefix("torch.")
        assert made.asnumpy().tolist() == expected.tolist()
    assert after.rebuilt([1, 2]) == [2, 4] and after.rebuilt((3,)) == (6,)
    assert after.Meter(1, 1).doubled(None) == before.Meter(1, 1).doubled(None)
    assert after.widened(after.Meter(1, 1)) == before.widened(before.Meter(1, 1))


@pytest.mark.parametrize("line", [
    "def f(x):\n    return type(x)(e for e in x)",
    "def f(x):\n    kind = type(x)\n    if kind is list:\n        return kind(2)",
    "def f(x):\n    kind = type(x)\n    return kind is torch.Tensor",
    "def f(x):\n    return type(x).__name__",
    "def f(x: list):\n    return type(x)(3)",
    "def f(x, n):\n    return type(x)(n)",
    "def f(x):\n    return type(x)(size=3)",
])  # fmt: skip
def test_where_the_class_stays(tmp_path: Path, line: str) -> None:
    assert "class_of" not in converted_script(tmp_path, f"import torch\ny = torch.ones(1)\n{line}\n")
