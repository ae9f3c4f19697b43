"""``convtr.kernel_size[0]`` of a one-dimensional transposed convolution: torch's own, and the layer computes all the same."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.convert.both_sides import both_sides

PROGRAM = """
import torch
from torch import nn


def norm(m):
    return m


class Up(nn.Module):
    def __init__(self, *args, **kwargs):
        super().__init__()
        self.convtr = norm(nn.ConvTranspose1d(*args, **kwargs))

    def forward(self, x):
        k, s = self.convtr.kernel_size[0], self.convtr.stride[0]
        return self.convtr(x)[..., : x.shape[-1] * s - k + s]


up = Up(2, 3, 4, 2)
with torch.no_grad():
    for p in up.parameters():
        p.copy_(torch.linspace(-1, 1, p.numel()).reshape(p.shape))
y = up(torch.linspace(-1, 1, 12).reshape(1, 2, 6)).detach()
alone = up.convtr(torch.linspace(-1, 1, 12).reshape(2, 6)).detach()
"""


@pytest.mark.frameworks
def test_sizes_are_read_and_computed_with(tmp_path: Path) -> None:
    expected, actual = both_sides(tmp_path, PROGRAM)
    for theirs, ours in ((expected.y, actual.y), (expected.alone, actual.alone)):
        np.testing.assert_allclose(ours.asnumpy(), theirs.numpy(), rtol=1e-5, atol=1e-6)
