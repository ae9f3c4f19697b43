"""The value of a change past autograd (``y = x.detach().mul_(3)``) is taken up: x changes, and no gradient leads to it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.convert.both_sides import both_sides, converted_script

PROGRAM = """import torch


def added(h, s):
    s += h.detach().mul_(3.0).sum()
    return s


def named(h, s):
    y = h.detach().mul_(3.0).add_(1)
    return s + y.sum()


def by(h, s, w):
    y = h.data.mul_(w)
    return s + y.sum()


def inside(w, x):
    h = w * x
    s = h.sum() * 2
    s += h.detach().clamp_(-0.1, 0.1).sum()
    return s, h


def at(table, s):
    total = [s, 0]
    for i in range(2):
        total[i] += table[i].detach().clamp_(-0.1, 0.1).sum()
    return total[0] + total[1]


def run(name):
    w, x = torch.tensor([0.3, 0.2], requires_grad=True), torch.tensor([1.0, 2.0])
    if name == "inside":
        s, h = inside(w, x)
    else:
        h = w * x
        s = h.sum() * 2
        if name == "by":
            s = by(h, s, w)
        else:
            s = {"added": added, "named": named, "at": lambda h, s: at([h, h + 1], s)}[name](h, s)
    s.backward()
    return [s.detach(), w.grad, h.detach()]
"""


@pytest.mark.frameworks
def test_no_gradient_leads_to_what_was_changed(tmp_path: Path) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, PROGRAM)
    for name in ("added", "named", "by", "inside"):
        for one, other in zip(torch_side.run(name), mindspore_side.run(name), strict=True):
            np.testing.assert_allclose(other.asnumpy(), one.numpy(), rtol=1e-6, err_msg=name)
    for one, other in zip(torch_side.run("at")[:2], mindspore_side.run("at")[:2], strict=True):  # that the table's tensor stays as it was is told
        np.testing.assert_allclose(other.asnumpy(), one.numpy(), rtol=1e-6)


def test_only_what_is_changed_is_past_gradients(tmp_path: Path) -> None:
    text = converted_script(tmp_path, PROGRAM)
    assert "no_grad" not in text and text.count("written_back(h, ") == 4
