"""Samples of layers that are built from other layers."""

from __future__ import annotations

from collections.abc import Iterator

import torch

from mindport.evidence.layer_samples import LayerSample, Part, own_layer
from mindport.evidence.samples import Sample

SMALL = {"dim_feedforward": 8, "dropout": 0.0}


@own_layer("torch.nn.TransformerEncoder")
def encoders() -> Iterator[LayerSample]:
    """Depths, batch first, a final normalisation, masks."""
    x, padding = torch.randn(2, 3, 4), torch.tensor([[False, False, True], [False, False, False]])
    first = Part("torch.nn.TransformerEncoderLayer", (4, 2), {**SMALL, "batch_first": True, "norm_first": True})
    yield LayerSample(Sample((Part("torch.nn.TransformerEncoderLayer", (4, 2), SMALL), 2)), Sample((x,)))
    yield LayerSample(Sample((first, 2, Part("torch.nn.LayerNorm", (4,)))), Sample((x,)))
    yield LayerSample(Sample((first, 1)), Sample((x,), {"mask": torch.triu(torch.full((3, 3), float("-inf")), 1)}))
    yield LayerSample(Sample((first, 1)), Sample((x,), {"src_key_padding_mask": padding}))


@own_layer("torch.nn.TransformerDecoder")
def decoders() -> Iterator[LayerSample]:
    """Depths and a final normalisation."""
    x, memory = torch.randn(2, 3, 4), torch.randn(2, 5, 4)
    layer = Part("torch.nn.TransformerDecoderLayer", (4, 2), {**SMALL, "batch_first": True})
    yield LayerSample(Sample((layer, 2)), Sample((x, memory)))
    yield LayerSample(Sample((layer, 1, Part("torch.nn.LayerNorm", (4,)))), Sample((x, memory)))


@own_layer("torch.nn.MaxUnpool1d")
def unpooling() -> Iterator[LayerSample]:
    """What MaxPool1d gives."""
    yield LayerSample(Sample((2,)), Sample(tuple(torch.nn.MaxPool1d(2, return_indices=True)(torch.randn(2, 3, 8)))))


@own_layer("torch.nn.MaxUnpool3d")
def unpooling_volumes() -> Iterator[LayerSample]:
    """What MaxPool3d gives."""
    yield LayerSample(Sample((2,)), Sample(tuple(torch.nn.MaxPool3d(2, return_indices=True)(torch.randn(1, 2, 4, 4, 4)))))
