"""Ranges of float64 have float64's digits, and ranges of fractions torch's length: MindSpore computes and counts them in float32."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.convert.both_sides import both_sides, converted_script

PROGRAM = """
import torch

wide = torch.float64
first = torch.tensor(0.1)


def made(start, end, steps, dtype):
    return torch.linspace(start, end, steps, dtype=dtype)


found = [
    torch.linspace(1e-4, 0.02, 50, dtype=torch.float64), torch.linspace(first, 0.7, 9, dtype=wide), made(0.1, 0.9, 7, wide), torch.linspace(0, 1, 0, dtype=wide),
    torch.arange(0, 1, 0.1, dtype=torch.float64), torch.arange(0.1, 0.75, 0.2, dtype=wide), torch.arange(1.0, -1.0, -0.3, dtype=wide), torch.arange(2, 9, 3, dtype=wide),
    torch.logspace(0, 0.3, 11, dtype=torch.float64), torch.logspace(-1, 1, 5, base=2.5, dtype=wide),
]
"""


@pytest.mark.frameworks
def test_as_torch(tmp_path: Path) -> None:
    theirs, ours = both_sides(tmp_path, PROGRAM)
    for made, expected in zip(ours.found, theirs.found, strict=True):
        assert made.asnumpy().dtype == expected.numpy().dtype
        np.testing.assert_allclose(made.asnumpy(), expected.numpy(), 1e-14, 1e-15)


COUNTED = """
import torch

first = torch.tensor(0.1)


def made(start, end, step):
    return torch.arange(start, end, step)


found = [torch.arange(1, 2.2, 0.3), torch.arange(1.2, 2.2, 0.5), torch.arange(1.4, 9.1, 0.7), torch.arange(1.8, 9.5, 0.7, dtype=torch.float32), torch.arange(first, -7.9, -4.0), made(1.2, 3.9, 0.3), made(0, 9, 2)]
found += [torch.arange(0, 1, 0.25), torch.arange(0.0, 6.0, 2.0), torch.arange(0.5, 3)]
"""


@pytest.mark.frameworks
def test_as_many_as_in_double_precision(tmp_path: Path) -> None:
    theirs, ours = both_sides(tmp_path, COUNTED)
    for made, expected in zip(ours.found, theirs.found, strict=True):
        assert made.asnumpy().dtype == expected.numpy().dtype
        np.testing.assert_allclose(made.asnumpy(), expected.numpy(), 1e-6)


def test_ranges_that_stay(tmp_path: Path) -> None:
    text = converted_script(tmp_path, "import torch\na = torch.arange(0, 1, 0.3)\nb = torch.arange(0.0, 6.0, 2.0)\nc = torch.arange(2, 9, 3)\n")
    assert text.count("ops.arange(") == 3
