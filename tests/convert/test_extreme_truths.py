"""``valid.max(-1)`` of truth values: MindSpore's CPU kernels have none for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import converted_script, printed_by_both

PROGRAM = """\
import torch


def truncated(tensor):
    drawn = tensor.new_empty(tensor.shape + (4,)).fill_(3.0)
    drawn[..., 2] = 0.5
    valid = (drawn < 2) & (drawn > -2)
    return valid.max(-1, keepdim=True)[1], valid.max(), valid.min()


def asked(x):
    return torch.max(x, 1)[0], x.min(0)[1]


places, most, least = truncated(torch.zeros(1, 2))
print(places.tolist(), most.item(), least.item(), [part.tolist() for part in asked(torch.tensor([[True, False], [True, True]]))])
"""


def test_extremes_of_all_are_any_and_all(tmp_path: Path) -> None:
    text = converted_script(tmp_path, PROGRAM)
    assert "torch_max(valid, -1, keepdim=True)[1], valid.any(), valid.all()" in text


@pytest.mark.frameworks
def test_both_sides_find_the_same(tmp_path: Path) -> None:
    before, after = printed_by_both(tmp_path, PROGRAM)
    assert before == after == "[[[2], [2]]] True False [[True, True], [0, 0]]\n"
