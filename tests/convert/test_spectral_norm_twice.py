"""Two calls of a spectrally normalised layer before one backward pass, as critics have them: each is differentiated at the vectors that it had."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.convert.both_sides import both_sides

PROGRAM = """
import torch
from torch import nn

layer = nn.utils.spectral_norm(nn.Linear(3, 4, bias=False))
layer.weight_orig.data.copy_(torch.cos(torch.arange(12.0)).reshape(4, 3))
layer.weight_u.copy_(torch.ones(4) / 2)
layer.weight_v.copy_(torch.ones(3) / 3**0.5)
x, y = torch.sin(torch.arange(6.0)).reshape(2, 3), torch.cos(torch.arange(6.0)).reshape(2, 3)
held = [layer(x).pow(2).sum()]
held.append(layer(y).pow(3).sum())
sum(held).backward()
found = [layer.weight_orig.grad, layer.weight_u]
"""


@pytest.mark.frameworks
def test_both_sides(tmp_path: Path) -> None:
    theirs, ours = both_sides(tmp_path, PROGRAM)
    for expected, made in zip(theirs.found, ours.found, strict=True):
        np.testing.assert_allclose(made.asnumpy(), expected.numpy(), rtol=1e-4, atol=1e-5)
