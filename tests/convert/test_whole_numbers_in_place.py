"""Fractions added in place to whole numbers: torch raises, for they do not fit; whole numbers stay what they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import converted_script, printed_by_both

PROGRAM = """
import torch


def attempt(name, change, x):
    try:
        change(x)
        print(name, x.tolist())
    except RuntimeError:
        print(name, "raises")


def add(c, v):
    c += v


i = torch.tensor([1, 2])
try:
    i += 0.5
except RuntimeError:
    print("augmented")
try:
    i.mul_(0.5)
except RuntimeError:
    print("method")
try:
    i -= torch.ones(2)
except RuntimeError:
    print("made")
try:
    i -= torch.tensor([0.5, 1])
except RuntimeError:
    print("tensor")
try:
    i /= 2
except RuntimeError:
    print("quotient")
i += True
i *= 3
i //= 2
print(i.tolist(), i.dtype == torch.int64)
for k in range(2):
    attempt("handed", lambda c: add(c, 0.5), torch.arange(3))
    attempt("sum", lambda c: add(c, 1), torch.arange(3))
    attempt("truth", lambda c: c.add_(k), torch.tensor([True, False]))
    attempt("floored", lambda c: c.div_(2, rounding_mode="floor"), torch.arange(3))
"""


@pytest.mark.frameworks
def test_what_does_not_fit(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    assert ours == theirs


@pytest.mark.parametrize(("call", "told"), [
    ("torch.sum(x, 0, out=x)", True),
    ("torch.sum(x, 0, out=y)", False),
    ("torch.exp(x, out=x)", False),
    ("torch.max(x, y, out=x)", False),
])  # fmt: skip
def test_what_is_reduced_into_itself_is_told(tmp_path: Path, call: str, told: bool) -> None:
    """torch gives such a tensor the result's shape before it is read."""
    converted = converted_script(tmp_path, f"import torch\nx, y = torch.ones(2, 3), torch.empty(3)\n{call}\n")
    assert ("MP109" in converted) is told
