"""Ranges of float64 have float64's digits: MindSpore computes them of Python's numbers in float32 (a diffusion model's schedule is 1e-7 off)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.convert.both_sides import both_sides

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
