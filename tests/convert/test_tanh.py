"""tanh in files that take logarithms stays within 1."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.convert.both_sides import both_sides, converted_script

SQUASHED = """
import torch
import torch.nn.functional as F

x = torch.linspace(-6, 6, 400).requires_grad_()
made = [torch.log(1 - torch.tanh(x) ** 2 + 1e-6), torch.log1p(-x.tanh().pow(2) + 1e-6), torch.atanh(0.999 * F.tanh(x))]
sum(m.sum() for m in made).backward()
found = [m.detach() for m in made] + [x.grad]
"""


@pytest.mark.frameworks
def test_the_density_of_squashed_actions(tmp_path: Path) -> None:
    theirs, ours = both_sides(tmp_path, SQUASHED)
    for expected, made in zip(theirs.found, ours.found, strict=True):
        # of 1 - tanh², some 1e-5 there, a rounding of float32 is 1e-2
        np.testing.assert_allclose(made.asnumpy(), expected.detach().numpy(), 0.05, 0.05)


@pytest.mark.parametrize(
    ("line", "expected"),
    [("y = torch.tanh(x)", "ops.tanh(x)"), ("y = x.tanh()", "x.tanh()"), ("y = torch.tanh(x)\nz = torch.log(x)", "tanh_within_one(x)"), ("y = x.tanh()\nz = x.sqrt()", "tanh_within_one(x)")],
)
def test_where_it_stands(tmp_path: Path, line: str, expected: str) -> None:
    assert expected in converted_script(tmp_path, f"import torch\nx = torch.ones(3)\n{line}\n")
