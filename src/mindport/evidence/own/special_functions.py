"""Samples of special functions whose OpInfo samples put the tensor first, where torch has it second."""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch.testing import make_tensor

from mindport.evidence.samples import Sample, own


@own("torch.polygamma", "torch.special.polygamma")
def polygamma(dtype: torch.dtype) -> Iterator[Sample]:
    """The orders 0 to 4 of positive and, away from the poles, negative numbers."""
    for order in range(5):
        positive = make_tensor((3, 4), dtype=dtype, device="cpu", low=1, high=9)
        yield Sample((order, positive))
        if dtype.is_floating_point:
            yield Sample((order, -positive.round() - 0.4))
        yield Sample((order, positive[0, 0]))
