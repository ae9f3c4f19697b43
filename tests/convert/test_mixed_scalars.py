"""A tensor without axes beside one with axes keeps the other's dtype; float64 keeps its digits beside Python's floats."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides, converted_script

PROGRAM = """
import math
import torch

x = torch.tensor([1.5, -2.0, 3.0]).half()
scale = torch.tensor(0.5)
lengths = torch.tensor([5, 3, 2], dtype=torch.int32)
offset = torch.tensor(1)
bytes_ = torch.tensor([1, 200], dtype=torch.uint8)
results = [
    x + scale, scale - x, x % torch.tensor(2.0), x // scale, lengths + offset, lengths - lengths.sum(), offset + lengths, lengths ** torch.tensor(2),
    lengths & torch.tensor(3), bytes_ - torch.tensor(3), x.bfloat16() * scale, x + lengths, lengths + scale, scale.double() + torch.ones(2), x.mean() + scale,
    torch.where(x > 0, x, torch.tensor(0.25)), torch.maximum(torch.tensor(0.5), x), torch.max(lengths, offset), torch.add(x, scale), torch.where(x > 0, x, x * 2),
]
total = torch.tensor([1.0, 2.0]).half()
total += scale
exact = torch.tensor([1.0, 2.0], dtype=torch.float64)
digits = [exact * 3.3, 2 * math.pi * exact, exact - 0.1, exact / 0.3, 0.7 ** exact]
"""


@pytest.mark.frameworks
def test_dtypes_and_digits_are_torch_s(tmp_path: Path) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, PROGRAM)
    pairs = list(zip([*torch_side.results, torch_side.total], [*mindspore_side.results, mindspore_side.total], strict=True))
    for theirs, ours in pairs:
        assert str(theirs.dtype).removeprefix("torch.") == str(ours.dtype).lower()
        assert theirs.float().numpy() == pytest.approx(ours.float().asnumpy(), rel=1e-2)
    for theirs, ours in zip(torch_side.digits, mindspore_side.digits, strict=True):
        assert theirs.numpy() == pytest.approx(ours.asnumpy(), rel=1e-14)


def test_ordinary_arithmetic_keeps_its_operators(tmp_path: Path) -> None:
    text = """import torch

def f(x, w):
    y = torch.ones(3) + torch.tensor(0.5)
    n = torch.arange(3) + torch.tensor(1)
    h = x.half() * 0.1 + 1.0
    k = x.float() - w.float().mean()
    m = (x > 0) & (w > 0)
    return y + 0.1, n, h + h, k * 3.3, m, x.double() * 0.5
"""
    converted = converted_script(tmp_path, text)
    assert "keeping_dtype" not in converted and "float64)" not in converted
