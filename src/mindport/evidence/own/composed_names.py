"""Samples of functions that torch's OpInfo does not list and that are composed of others here."""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch.testing import make_tensor

from mindport.evidence.samples import Sample, own


@own("torch.adjoint", "torch.Tensor.adjoint")
def matrices(dtype: torch.dtype) -> Iterator[Sample]:
    """One matrix, a batch, a matrix without rows."""
    yield from (Sample((make_tensor(shape, dtype=dtype, device="cpu"),)) for shape in ((2, 3), (4, 2, 3), (0, 3)))


@own("torch.vander")
def powers(dtype: torch.dtype) -> Iterator[Sample]:
    """Square, wide, narrow, without columns; rising and falling powers."""
    x = make_tensor((4,), dtype=dtype, device="cpu", low=-2, high=3)
    yield from (Sample((x,), keywords) for keywords in ({}, {"N": 2}, {"N": 6}, {"N": 0}, {"increasing": True}, {"N": 3, "increasing": True}))
    yield Sample((x[:0],))


@own("torch.range")
def closed_ranges(dtype: torch.dtype) -> Iterator[Sample]:
    """Ranges that meet their end and that do not, rising and falling."""
    for limits in ((0, 4), (1, 2.5), (1, 4, 0.5), (3, -2, -2), (-1.5, 3.2, 0.7)):
        yield Sample(limits)
        if dtype.is_floating_point or all(isinstance(limit, int) for limit in limits):  # torch dies of a step that rounds to 0
            yield Sample(limits, {"dtype": dtype})


@own("torch.fill")
def filled(dtype: torch.dtype) -> Iterator[Sample]:
    """A number, a tensor without axes."""
    for shape in ((2, 3), (), (0,)):
        x = make_tensor(shape, dtype=dtype, device="cpu")
        yield Sample((x, 2))
        yield Sample((x, torch.tensor(3)))


@own("torch.poisson")
def rates(dtype: torch.dtype) -> Iterator[Sample]:
    """Small and large rates, several axes."""
    if dtype.is_floating_point:
        yield Sample((make_tensor((3,), dtype=dtype, device="cpu", low=0.1, high=5.0),))
        yield Sample((make_tensor((2, 3), dtype=dtype, device="cpu", low=5.0, high=20.0),))


@own("torch.nn.functional.triplet_margin_with_distance_loss")
def triplets(dtype: torch.dtype) -> Iterator[Sample]:
    """The distance that is taken where none is given; margins, swapping, reductions."""
    if dtype.is_floating_point:
        given = tuple(make_tensor((5, 4), dtype=dtype, device="cpu", requires_grad=dtype == torch.float32) for _ in range(3))
        yield from (Sample(given, keywords) for keywords in ({}, {"margin": 0.3}, {"swap": True}, {"reduction": "sum"}, {"reduction": "none", "margin": 2.0}))
