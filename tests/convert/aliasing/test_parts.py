"""Names for the parts of a tensor (``a, b = x.T``), changed in place where gradients are recorded: the tensor sees it, the other parts do not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides, converted_script

PROGRAM = """
import torch
from torch import nn

net = nn.Linear(3, 2)
for number, p in enumerate(net.parameters()):
    p.data = torch.sin(torch.arange(p.numel()).float() + number).view_as(p)
opt = torch.optim.SGD(net.parameters(), lr=0.1)


def assigned(shape):
    centres = torch.arange(12).float().view(6, 2) * 1.3 - 2
    cells = (centres - 0.5).long()
    gi, gj = cells.T
    kept = []
    kept.append((gj.clamp_(0, shape[0] - 1), gi.clamp_(0, shape[1] - 1)))
    return cells, centres - cells, kept


def changed(p):
    t = p.detach() * 2 + 1
    a, b = t.unbind(1)
    b.clamp_(-1, 1)
    return t, a, b


def several(x):
    t = x * 1.5
    low, mid, high = t.t()
    low.mul_(2)
    high += 1
    pair = t[:2] * 1
    top, bottom = pair
    top[0] = 9
    return t * low.sum(), mid, high, pair, bottom


x = torch.arange(18).float().view(6, 3) / 10
for step in range(2):
    opt.zero_grad()
    p = net(x)
    cells, offsets, kept = assigned((4, 5))
    t, a, b = changed(p)
    u, mid, high, top, bottom = several(x)
    loss = ((p - offsets) ** 2).mean() + (p * cells).sum() * 0.1 + kept[0][0].sum() * 0.1 + (t * p).mean() + (a * b).mean() + (u * u).mean() * p.mean()
    loss.backward()
    opt.step()

kept = [loss.detach(), net.weight.detach(), cells.float(), kept[0][0].float(), kept[0][1].float(), t.detach(), u, mid, high, top, bottom]
"""


@pytest.mark.frameworks
def test_the_tensor_sees_what_its_parts_become(tmp_path: Path) -> None:
    theirs, ours = both_sides(tmp_path, PROGRAM)
    for expected, made in zip(theirs.kept, ours.kept, strict=True):
        assert made.asnumpy() == pytest.approx(expected.numpy(), rel=1e-5)


def test_a_part_is_stored_where_it_was_taken(tmp_path: Path) -> None:
    text = converted_script(tmp_path, PROGRAM)
    assert "MP109" not in text
    for line in ("cells[:, 1] = gj", "cells[:, 0] = gi", "t[:, 1] = b", "t[:, 2] = high"):
        assert line in text


def test_of_three_axes_no_column_is_stored(tmp_path: Path) -> None:
    text = converted_script(tmp_path, "import torch\n\n\ndef f(x):\n    t = torch.tensor([[[1.0, 2.0], [3.0, 4.0]]])\n    a, b = t.T\n    a.mul_(x)\n    return t\n")
    assert "t[:, 0] =" not in text
    assert "MP109" in text


def test_what_may_be_a_tuple_takes_nothing_back(tmp_path: Path) -> None:
    text = converted_script(tmp_path, "import torch\n\n\ndef f(state, x):\n    h, c = state\n    h.mul_(x)\n    return state\n")
    assert "state[0] =" not in text
    assert "MP109" in text
