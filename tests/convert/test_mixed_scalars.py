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


OF_NUMPY = """
import math
import numpy as np
import torch

steps = torch.from_numpy(np.linspace(0, 1, 5))
betas = np.linspace(1e-4, 0.02, 4)
alphas = torch.tensor(1.0 - betas)
wide = torch.ones(2, dtype=torch.float64)
wide += 0.1
wide[1] = 0.3
digits = [
    steps * math.pi, (1 - alphas).cumprod(0) * 0.9, torch.sqrt(1.1 - alphas), torch.as_tensor(np.zeros(3) + 0.5) ** 0.3, torch.tensor(np.float64(0.5)) * 0.1,
    torch.add(wide, 0.1), wide.mul(0.7), wide.clamp(0.2, 0.7), torch.clamp(wide, max=0.4), torch.where(wide > 0.5, wide, 0.1), wide,
]
single = [torch.from_numpy(np.ones(2, dtype=np.float32)) * 0.1, torch.from_numpy(np.zeros(2).astype("float32")) + 0.1]
"""


@pytest.mark.frameworks
def test_what_comes_out_of_numpy_keeps_its_digits(tmp_path: Path) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, OF_NUMPY)
    for theirs, ours in zip([*torch_side.digits, *torch_side.single], [*mindspore_side.digits, *mindspore_side.single], strict=True):
        assert str(theirs.dtype).removeprefix("torch.") == str(ours.dtype).lower()
        assert theirs.numpy() == pytest.approx(ours.asnumpy(), rel=1e-14 if theirs.dtype.itemsize == 8 else 1e-6)


COMPARED = """
import torch

tenths = torch.tensor([0.1, 0.2, 0.3], dtype=torch.float64)
limit = 0.2
found = [
    tenths == 0.1, tenths != limit, 0.2 <= tenths, tenths > limit, tenths.lt(0.3), torch.ge(tenths, 0.2), tenths.eq(0.3), tenths < 1, torch.ones(3) == 0.1,
    torch.tensor([0.1]) == 0.1,
]
counts = [int(f.sum()) for f in found]
"""


@pytest.mark.frameworks
def test_comparisons_of_float64(tmp_path: Path) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, COMPARED)
    assert torch_side.counts == mindspore_side.counts
