"""Samples of the lazy layers: what their plain forms take, without the input's size."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch

from mindport.evidence.layer_samples import LayerSample, own_layer
from mindport.evidence.samples import Sample

SHAPES = {1: (2, 4, 7), 2: (2, 4, 6, 5), 3: (2, 4, 4, 5, 3)}


def _rows(rank: int, rows: list[tuple[tuple[Any, ...], dict[str, Any]]]) -> Iterator[LayerSample]:
    for args, kwargs in rows:
        yield LayerSample(Sample(args, kwargs), Sample((torch.randn(SHAPES[rank]),)))


@own_layer("torch.nn.LazyLinear")
def linear() -> Iterator[LayerSample]:
    """With and without a bias, of one sample."""
    yield from _rows(2, [((3,), {}), ((3,), {"bias": False})])
    yield LayerSample(Sample((3,)), Sample((torch.randn(5),)))


def _convolutions(rank: int) -> list[tuple[tuple[Any, ...], dict[str, Any]]]:
    return [((6, 3), {"padding": 1}), ((4, 2, 2), {"bias": False}), ((4, 3), {"groups": 2, "padding": 1})]


@own_layer("torch.nn.LazyConv1d", "torch.nn.LazyConvTranspose1d")
def sequences() -> Iterator[LayerSample]:
    """Over one axis."""
    yield from _rows(1, _convolutions(1))


@own_layer("torch.nn.LazyConv2d", "torch.nn.LazyConvTranspose2d")
def images() -> Iterator[LayerSample]:
    """Over two axes."""
    yield from _rows(2, _convolutions(2))


@own_layer("torch.nn.LazyConv3d", "torch.nn.LazyConvTranspose3d")
def volumes() -> Iterator[LayerSample]:
    """Over three axes."""
    yield from _rows(3, _convolutions(3))


NORMALISATIONS: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    ((), {}), ((1e-3, 0.3), {}), ((), {"affine": False}), ((), {"affine": False, "track_running_stats": False}),
]  # fmt: skip


@own_layer("torch.nn.LazyBatchNorm1d", "torch.nn.LazyInstanceNorm1d")
def normalised_sequences() -> Iterator[LayerSample]:
    """Over one axis."""
    yield from _rows(1, NORMALISATIONS)


@own_layer("torch.nn.LazyBatchNorm2d", "torch.nn.LazyInstanceNorm2d")
def normalised_images() -> Iterator[LayerSample]:
    """Over two axes."""
    yield from _rows(2, NORMALISATIONS)


@own_layer("torch.nn.LazyBatchNorm3d", "torch.nn.LazyInstanceNorm3d")
def normalised_volumes() -> Iterator[LayerSample]:
    """Over three axes."""
    yield from _rows(3, NORMALISATIONS)
