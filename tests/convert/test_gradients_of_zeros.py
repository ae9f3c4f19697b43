"""A gradient of zeros is a gradient: what only rounding or a sign leads to has one, what the loss was not computed from has none."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.convert.both_sides import both_sides

PROGRAM = """import torch

x = torch.tensor([0.5, -1.5, 2.5])
y = torch.tensor([1.0, 2.0, 3.0])
x.requires_grad_()
y.requires_grad_()


def asked():
    loss = (torch.round(x) * 2 + torch.sign(x) + y * y).sum()
    return torch.autograd.grad(loss, [x, y])


def inner():
    hidden = x * 2
    return torch.autograd.grad((torch.ceil(hidden) + x * 0).sum(), hidden)


def nowhere(mask):
    put = torch.index_put(x, (mask,), y[:1], accumulate=True) + torch.index_put(x, (torch.nonzero(mask)[:, 0],), y[mask])
    return torch.autograd.grad((put * torch.fill(y, 2)).sum(), [x, y])


found = [*asked(), *inner(), *nowhere(y.detach() > 5)]
unused = torch.tensor([1.0], requires_grad=True)
held = [x, unused]
x.requires_grad = True
loss = (held[0].floor() * 3).sum()
loss.backward()
found += [x.grad, unused.grad]
"""


@pytest.mark.frameworks
def test_zeros_are_given(tmp_path: Path) -> None:
    theirs, ours = both_sides(tmp_path, PROGRAM)
    assert "backward(" in (tmp_path / "after" / "program.py").read_text(encoding="utf-8")  # the tape
    for expected, made in zip(theirs.found, ours.found, strict=True):
        if expected is None:
            assert made is None
        else:
            np.testing.assert_array_equal(made.asnumpy(), expected.numpy())
