"""``@torch.no_grad()`` over a generator function: its turns record no gradient, what its caller does between them does."""

from __future__ import annotations

from pathlib import Path

import pytest

pytestmark = pytest.mark.frameworks
pytest.importorskip("torch", reason="this file compares the frameworks")
pytest.importorskip("mindspore", reason="this file compares the frameworks")

from tests.convert.both_sides import printed_by_both  # noqa: E402

PROGRAM = """
import torch
from torch import nn

lin = nn.Linear(2, 1)
with torch.no_grad():
    lin.weight.copy_(torch.tensor([[0.5, -0.25]])), lin.bias.fill_(0.5)
x = torch.tensor([[1.0, 2.0]])


@torch.no_grad()
def outputs(n):
    got = 0
    for i in range(n):
        try:
            got = yield lin(x) * (i + 1)
        except ValueError:
            got = -1
    return got


@torch.set_grad_enabled(False)
def others():
    yield lin(x)


turns = outputs(3)
first, seen, second = next(turns), lin(x), turns.send(5)
third = turns.throw(ValueError("x"))
(first + second + third + seen + next(others())).sum().backward()
print(lin.weight.grad.tolist(), torch.is_grad_enabled())
try:
    turns.send(7)
except StopIteration as end:
    print(end.value)
"""


def test_the_turns_of_a_generator_record_no_gradient(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    assert ours == theirs
