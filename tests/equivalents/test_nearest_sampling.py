"""`grid_sample` by the nearest element, at places halfway between two: torch rounds to even ones."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from mindspore import Tensor

from mindport.equivalents.resampling import grid_sample

PLACES = torch.arange(-3, 14) * 0.5


@pytest.mark.parametrize("align_corners", [True, False])
@pytest.mark.parametrize("padding_mode", ["zeros", "border", "reflection"])
@pytest.mark.parametrize("size", [(4, 6), (5, 1), (4, 5, 6)])
def test_halfway_places(size: tuple[int, ...], padding_mode: str, align_corners: bool) -> None:
    image = torch.arange(1.0, 1 + float(np.prod(size))).reshape(1, 1, *size)
    axes = [((PLACES * 2 / max(n - 1, 1)) if align_corners else ((PLACES * 2 + 1) / n)) - 1 for n in size]
    grid = torch.stack(torch.meshgrid(*axes, indexing="ij")[::-1], -1)[None]
    if padding_mode == "reflection" and not align_corners:
        grid = grid.clamp(-1 + 1e-3, 1 - 1e-3)  # outside, parity is another behind the reflection
    expected = torch.nn.functional.grid_sample(image, grid, "nearest", padding_mode, align_corners)
    found = grid_sample(Tensor(image.numpy()), Tensor(grid.numpy()), "nearest", padding_mode, align_corners).asnumpy()
    assert (found != expected.numpy()).mean() == 0
