"""MultiheadAttention called with keywords alone, as in torch: MindSpore's own layer asks for its inputs by position."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.convert.both_sides import both_sides

pytestmark = pytest.mark.frameworks

PROGRAM = """import torch
from torch import nn

attention = nn.MultiheadAttention(8, 2, batch_first=True)
x = torch.ones(2, 4, 8)
output, weights = attention(query=x, key=x, value=x)
half, none = attention(x, key=x, value=x, need_weights=False)
"""


def test_keywords(tmp_path: Path) -> None:
    _, converted = both_sides(tmp_path, PROGRAM)
    assert tuple(converted.output.shape) == (2, 4, 8)
    np.testing.assert_allclose(converted.weights.asnumpy(), np.full((2, 4, 4), 0.25), rtol=1e-5)
    np.testing.assert_allclose(converted.half.asnumpy(), converted.output.asnumpy(), rtol=1e-5)
    assert converted.none is None
