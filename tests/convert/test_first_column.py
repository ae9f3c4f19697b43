"""Scores of which no row can be hidden whole keep the plain softmax; whatever may hide one keeps the form that bears it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.convert.both_sides import both_sides, converted_script

HEAD = """
import math
import torch
import torch.nn as nn
import torch.nn.functional as F

HIDDEN = float("-inf")
"""
MODULE = """
class Attention(nn.Module):
    def __init__(self, n, width):
        super().__init__()
        self.keys = nn.Linear(width, width)
        {kept}

    def forward(self, x, padding=None):
        t = x.shape[1]
        scores = self.keys(x) @ x.transpose(-2, -1) / math.sqrt(x.shape[-1])
        {masked}
        return F.softmax(scores, dim=-1)
"""
BUFFER = 'self.register_buffer("mask", torch.tril(torch.ones(n, n)))'
FOUR = 'self.register_buffer("mask", torch.tril(torch.ones(n, n)).view(1, 1, n, n))'
ADDED = 'self.mask = torch.triu(torch.full((n, n), float("-inf")), diagonal=1)'
CUT = 'scores = scores.masked_fill(self.mask[:t, :t] == 0, float("-inf"))'


def _plain(tmp_path: Path, kept: str, masked: str, more: str = "") -> bool:
    return "hidden" not in converted_script(tmp_path, HEAD + MODULE.format(kept=kept, masked=masked) + more + "\nprint(Attention(4, 3)(torch.ones(1, 2, 3)))\n").replace("HIDDEN", "")


@pytest.mark.parametrize(
    ("kept", "masked"),
    [
        (BUFFER, CUT),
        (BUFFER, "scores = scores.masked_fill(~self.mask[:t, :t].bool(), HIDDEN)"),
        (BUFFER, "scores = torch.where(self.mask[:t, :t] > 0, scores, HIDDEN)"),
        (FOUR, "scores = scores[None].masked_fill(self.mask[:, :, :t, :t].logical_not(), HIDDEN)"),
        (ADDED, "scores = scores + self.mask[:t, :t]"),
        (ADDED, "scores += self.mask[:t, :t]"),
        ("pass", "mask = torch.triu(torch.ones(t, t), diagonal=1).bool()\n        scores = scores.masked_fill(mask, HIDDEN)"),
        ("pass", "mask = 1 - torch.tril(torch.ones(t, t)).unsqueeze(0)\n        if t > 1:\n            scores = scores.masked_fill(mask == 1, HIDDEN)"),
    ],
)
def test_a_triangle_leaves_the_first_column(tmp_path: Path, kept: str, masked: str) -> None:
    assert _plain(tmp_path, kept, masked)


def test_a_buffer_that_is_cut_elsewhere_leaves_it_too(tmp_path: Path) -> None:
    assert _plain(tmp_path, BUFFER, CUT, "\ndef crop(attention: Attention, n):\n    attention.mask = attention.mask[:n, :n]\n")


@pytest.mark.parametrize(
    ("kept", "masked", "more"),
    [
        (BUFFER, CUT.replace("== 0", "== 1"), ""),
        (BUFFER, CUT.replace("[:t, :t]", "[:t, 1:t]"), ""),
        (BUFFER, CUT.replace("[:t, :t]", "[:t, ::2]"), ""),
        (BUFFER.replace("tril", "triu"), CUT, ""),
        (BUFFER.replace("n, n))", "n, n), diagonal=-1)"), CUT, ""),
        (BUFFER.replace("ones(n, n)", "rand(n, n)"), CUT, ""),
        (BUFFER.replace("torch.ones(n, n))", "torch.ones(n, n)).flip(-1)"), CUT, ""),
        (BUFFER, CUT + "\n        if padding is not None:\n            scores = scores.masked_fill(padding, HIDDEN)", ""),
        (BUFFER, CUT + "\n        scores[:, 0] = HIDDEN", ""),
        (BUFFER, CUT + "\n        scores.masked_fill_(padding, HIDDEN)", ""),
        (BUFFER, CUT + "\n        hide(scores)", "\ndef hide(scores):\n    scores[..., 0] = HIDDEN\n"),
        (BUFFER, CUT, "\ndef hide(attention):\n    attention.mask[:] = 0\n"),
        (BUFFER, CUT, "\ndef hide(attention):\n    attention.mask = attention.mask[:, 1:]\n"),
        (BUFFER, CUT, "\ndef hide(attention):\n    attention.mask.zero_()\n"),
        (ADDED.replace("diagonal=1", "diagonal=0"), "scores = scores + self.mask[:t, :t]", ""),
        (ADDED, "scores = scores - self.mask[:t, :t]", ""),
        ("pass", "scores = scores if padding is None else scores.masked_fill(padding, HIDDEN)", ""),
        ("pass", "scores = scores * float('-inf')", ""),
    ],
)
def test_what_may_hide_a_row(tmp_path: Path, kept: str, masked: str, more: str) -> None:
    assert not _plain(tmp_path, kept, masked, more)


def test_along_another_axis_the_first_column_says_nothing(tmp_path: Path) -> None:
    program = HEAD + MODULE.format(kept=BUFFER, masked=CUT).replace("dim=-1", "dim=1")
    assert "hidden_softmax" in converted_script(tmp_path, program + "\nprint(Attention(4, 3)(torch.ones(1, 2, 3)))\n")


def test_products_have_no_hidden_rows_along_any_axis(tmp_path: Path) -> None:
    program = HEAD + "layer = nn.Linear(3, 2)\nx = torch.ones(4, 3)\nfirst = F.softmax(layer(x), 0)\nsecond = (x @ x.T * 2).softmax(1)\nthird = torch.softmax(x.masked_fill(x > 0, HIDDEN), 1)\n"
    text = converted_script(tmp_path, program)
    assert text.count("hidden_softmax(") == 1 and "third = hidden_softmax(" in text


@pytest.mark.frameworks
def test_rows_as_in_torch(tmp_path: Path) -> None:
    program = HEAD + MODULE.format(kept=FOUR, masked='scores = scores[None].masked_fill(self.mask[:, :, :t, :t] == 0, HIDDEN)') + (
        "\nnet = Attention(6, 3)\nfor n, p in enumerate(net.parameters()):\n    p.data = torch.sin(torch.arange(p.numel()).float() + n).view(p.shape)\n"
        "x = torch.cos(torch.arange(24.0)).view(2, 4, 3).requires_grad_()\nkept = [net(x).detach()]\n(net(x) * torch.arange(4.0)).sum().backward()\nkept.append(x.grad)\n"
    )
    assert "hidden_softmax" not in converted_script(tmp_path, program)
    theirs, ours = both_sides(tmp_path, program)
    for made, expected in zip(ours.kept, theirs.kept, strict=True):
        np.testing.assert_allclose(made.asnumpy(), expected.numpy(), rtol=1e-5, atol=1e-6)
