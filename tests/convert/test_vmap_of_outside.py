"""Per-sample gradients by tensors from around the mapped function."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.convert.both_sides import both_sides

PROGRAM = """
import torch
from torch.func import grad, vmap

scale = torch.tensor([0.5, -1.0])
rows = torch.arange(6.0).view(3, 2)


def energy(s, r):
    return torch.sin(s * r).sum() ** 2


def by_scale(r):
    return grad(energy)(scale, r)


found = [vmap(lambda r: grad(energy)(scale, r))(rows), vmap(by_scale)(rows), vmap(lambda r: grad(energy, argnums=(0, 1))(scale, r)[1] + r)(rows)]
"""


@pytest.mark.frameworks
def test_the_gradients_are_there(tmp_path: Path) -> None:
    theirs, ours = both_sides(tmp_path, PROGRAM)
    for expected, made in zip(theirs.found, ours.found, strict=True):
        np.testing.assert_allclose(made.asnumpy(), expected.numpy(), rtol=2e-5, atol=1e-6)
