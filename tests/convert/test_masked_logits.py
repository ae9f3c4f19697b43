"""Losses of logits that are minus infinity for some classes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.convert.both_sides import both_sides, converted_script

PROGRAM = """
import torch
import torch.nn.functional as F


def policy(h, legal, action, **options):
    scores = h.masked_fill(~legal, float("-inf"))
    return F.cross_entropy(scores, action, **options)


def picked(h, legal, action):
    scores = h.clone()
    scores[~legal] = -float("inf")
    return F.nll_loss(F.log_softmax(scores, dim=1), action, ignore_index=2)


h = torch.tensor([[0.5, -1.0, 2.0], [1.5, 0.25, 0.0]], requires_grad=True)
legal = torch.tensor([[True, False, True], [False, True, True]])
action = torch.tensor([0, 2])
loss = policy(h, legal, action, weight=torch.tensor([1.0, 2.0, 0.5]))
loss.backward()
found = [loss.detach(), h.grad, policy(h, legal, action, reduction="none").detach(), picked(h, legal, action).detach(), policy(h, legal, torch.tensor([0, -100])).detach()]
"""


HANDED_BACK = """
import torch
import torch.nn as nn
import torch.nn.functional as F


class Parser(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.arange(9.0).view(3, 3) / 9)

    def forward(self, x, pad):
        arc = torch.einsum("bxi,ij,byj->bxy", x, self.w, x)
        arc.masked_fill_(pad.unsqueeze(1), float("-inf"))
        return arc, self.w.sum()


net = Parser()
arc, total = net(torch.arange(18.0).view(2, 3, 3).sin(), torch.tensor([[False, False, False], [False, False, True]]))
mask, heads = torch.tensor([[False, True, True], [False, True, False]]), torch.tensor([[0, 0, 1], [0, 0, 0]])
loss = F.cross_entropy(arc[mask], heads[mask]) + F.cross_entropy(arc[:, 0], heads[:, 0])
loss.backward()
found = [loss.detach(), net.w.grad]
"""


@pytest.mark.frameworks
def test_what_a_forward_pass_hands_back(tmp_path: Path) -> None:
    theirs, ours = both_sides(tmp_path, HANDED_BACK)
    for expected, made in zip(theirs.found, ours.found, strict=True):
        np.testing.assert_allclose(made.asnumpy(), expected.numpy(), rtol=1e-5, atol=1e-6)


def test_attention_keeps_the_plain_loss(tmp_path: Path) -> None:
    text = converted_script(tmp_path, "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\nclass A(nn.Module):\n    def forward(self, q, m):\n        s = (q @ q.mT).masked_fill(m, float('-inf'))\n        s = s.softmax(-1)\n        return s @ q\ndef loss(x, y):\n    return F.cross_entropy(x, y)\n")
    assert "ops.cross_entropy(x, y)" in text


@pytest.mark.frameworks
def test_the_losses_are_finite(tmp_path: Path) -> None:
    theirs, ours = both_sides(tmp_path, PROGRAM)
    for expected, made in zip(theirs.found, ours.found, strict=True):
        np.testing.assert_allclose(made.asnumpy(), expected.numpy(), rtol=1e-5, atol=1e-6)


def test_other_functions_keep_the_plain_loss(tmp_path: Path) -> None:
    text = converted_script(tmp_path, "import torch\nimport torch.nn.functional as F\ndef mask(a, m):\n    return a.masked_fill(m, float('-inf'))\ndef loss(x, y):\n    return F.cross_entropy(x, y)\n")
    assert "ops.cross_entropy(x, y)" in text


LOWEST = """
import torch
import torch.nn.functional as F


def in_batch(u, v, same):
    scores = (u @ v.T).masked_fill(same, torch.finfo(u.dtype).min)
    return F.cross_entropy(scores, torch.arange(len(u)))


def by_a_number(scores, legal):
    return F.cross_entropy(torch.where(legal, scores, torch.full_like(scores, -3e38)), torch.tensor([0, 2]))


u = torch.tensor([[0.5, -1.0, 2.0], [1.5, 0.25, 0.0], [0.25, 1.0, 1.0]], requires_grad=True)
same = torch.tensor([[False, True, True], [True, False, False], [False, True, False]])
loss = in_batch(u, u.detach() / 2, same) + by_a_number(u[:2], ~same[:2].flip(0))
loss.backward()
found = [loss.detach(), u.grad]
"""


@pytest.mark.frameworks
def test_two_of_the_lowest_number(tmp_path: Path) -> None:
    """MindSpore adds all logarithms up, times a smoothing of 0: with two of a dtype's lowest number the loss was NaN, untold."""
    theirs, ours = both_sides(tmp_path, LOWEST)
    for expected, made in zip(theirs.found, ours.found, strict=True):
        np.testing.assert_allclose(made.asnumpy(), expected.numpy(), rtol=1e-5, atol=1e-6)
