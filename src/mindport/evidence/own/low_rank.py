"""Samples of the randomised factorisations, which OpInfo calls through a function of two factors."""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch.testing import make_tensor

from mindport.evidence.samples import Sample, own


@own("torch.svd_lowrank", "torch.pca_lowrank")
def low_rank(dtype: torch.dtype) -> Iterator[Sample]:
    """Products of thin matrices."""
    if not dtype.is_floating_point:
        return
    for rows, columns, rank in ((4, 5, 2), (6, 3, 2), (5, 5, 3)):
        left, right = (make_tensor(shape, dtype=dtype, device="cpu") for shape in ((rows, rank), (rank, columns)))
        yield Sample((left @ right,), {"q": rank})
