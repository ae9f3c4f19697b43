"""Samples of the constructors named after a dtype: data of every kind they take, and sizes, whose contents are open."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch

from mindport.evidence.samples import Sample, own

KINDS = ["Float", "Double", "Half", "Long", "Int", "Short", "Char", "Byte", "Bool"]


@own("torch.Tensor", *(f"torch.{kind}Tensor" for kind in KINDS))
def data(dtype: torch.dtype) -> Iterator[Sample]:
    """Lists, nested lists, arrays, an empty list, nothing, a size of no elements."""
    if dtype == torch.float32:
        given: tuple[object, ...] = ([1, 0, 2], [[1.0, 0.0], [2.0, 3.0]], np.array([[0.0, 1.0]]), np.array([3, 0], np.int32), [])
        yield from (Sample((each,), eager=True) for each in given)
        yield Sample(eager=True)
        yield Sample((2, 0, 3), eager=True)


@own("torch.Tensor.new")
def alike(dtype: torch.dtype) -> Iterator[Sample]:
    """Data, and a size of no elements, of a tensor's dtype."""
    if dtype in (torch.float32, torch.int64):
        this = torch.ones(2, dtype=dtype)
        yield from (Sample((this, each), eager=True) for each in ([1, 0, 2], [[1, 0], [2, 3]], []))
        yield Sample((this, 2, 0), eager=True)
