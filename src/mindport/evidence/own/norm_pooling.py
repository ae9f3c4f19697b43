"""Samples of power-average pooling."""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch.testing import make_tensor

from mindport.evidence.samples import Sample, own


@own("torch.nn.functional.lp_pool1d")
def windows_of_one_axis(dtype: torch.dtype) -> Iterator[Sample]:
    """(N, C, L) and (C, L)."""
    if dtype.is_floating_point:
        x = make_tensor((2, 3, 11), dtype=dtype, device="cpu", low=0.1, high=2.0)
        yield from (Sample((x, *rest)) for rest in ((2, 3), (1, 2, 2), (3, 3, 2), (2, 4, 3, True)))
        yield Sample((x[0], 2, 3))


@own("torch.nn.functional.lp_pool2d")
def windows_of_two_axes(dtype: torch.dtype) -> Iterator[Sample]:
    """(N, C, H, W) and (C, H, W)."""
    if dtype.is_floating_point:
        x = make_tensor((2, 3, 9, 8), dtype=dtype, device="cpu", low=0.1, high=2.0)
        yield from (Sample((x, *rest)) for rest in ((2, 3), (1, (2, 3), 2), (3, 3, (2, 1)), (2, 4, 3, True)))
        yield Sample((x[0], 2, 3))


@own("torch.nn.functional.lp_pool3d")
def windows_of_three_axes(dtype: torch.dtype) -> Iterator[Sample]:
    """(N, C, D, H, W) and (C, D, H, W)."""
    if dtype.is_floating_point:
        x = make_tensor((2, 3, 5, 6, 7), dtype=dtype, device="cpu", low=0.1, high=2.0)
        yield from (Sample((x, *rest)) for rest in ((2, 3), (1, (2, 3, 2), 2), (3, 3, (2, 1, 2)), (2, 2, 2, True)))
        yield Sample((x[0], 2, 3))
