"""Samples of layers that torch's module database lacks or leaves to chance."""

from __future__ import annotations

from collections.abc import Iterator

import torch

from mindport.evidence.layer_samples import LayerSample, own_layer
from mindport.evidence.samples import Sample


@own_layer("torch.nn.FractionalMaxPool2d")
def fractional_images() -> Iterator[LayerSample]:
    """Given draws, so that the windows are the same; both ways to say the size; indices."""
    places = torch.rand(2, 3, 2)
    for size in ({"output_size": (4, 3)}, {"output_size": 3}, {"output_ratio": 0.5}, {"output_ratio": (0.6, 0.4), "return_indices": True}):
        yield LayerSample(Sample((2,), {**size, "_random_samples": places}), Sample((torch.randn(2, 3, 9, 8),)))


@own_layer("torch.nn.FractionalMaxPool3d")
def fractional_volumes() -> Iterator[LayerSample]:
    """Given draws, so that the windows are the same; both ways to say the size."""
    places = torch.rand(2, 3, 3)
    for size in ({"output_size": (4, 3, 3)}, {"output_ratio": 0.5, "return_indices": True}):
        yield LayerSample(Sample(((2, 2, 3),), {**size, "_random_samples": places}), Sample((torch.randn(2, 3, 7, 8, 9),)))


@own_layer("torch.nn.CrossMapLRN2d")
def local_response() -> Iterator[LayerSample]:
    """Odd, even and too large windows."""
    for args in ((3,), (5, 0.1, 0.5, 2.0), (4, 0.3), (9, 0.2), (1, 0.5)):
        yield LayerSample(Sample(args), Sample((torch.randn(2, 6, 4, 5),)))


@own_layer("torch.nn.FeatureAlphaDropout")
def channels() -> Iterator[LayerSample]:
    """Inputs with one to three axes after the channels."""
    for shape in ((4, 6, 5), (4, 6, 5, 2), (2, 5, 2, 2, 3)):
        yield LayerSample(Sample((0.3,)), Sample((torch.randn(shape),)))
    yield LayerSample(Sample((0.0,)), Sample((torch.randn(4, 6, 5),)))


@own_layer("torch.nn.LinearCrossEntropyLoss")
def losses() -> Iterator[LayerSample]:
    """Classes and probabilities, more axes, weights, what is ignored."""
    x, labels = torch.randn(4, 5), torch.tensor([0, 3, 2, 6])
    yield LayerSample(Sample((5, 7)), Sample((x, labels)))
    yield LayerSample(Sample((5, 7), {"bias": True, "reduction": "sum", "label_smoothing": 0.1}), Sample((x, labels)))
    yield LayerSample(Sample((5, 7), {"weight": torch.rand(7), "ignore_index": 3}), Sample((x, labels)))
    yield LayerSample(Sample((5, 7), {"out_features": (2, 3), "bias": True}), Sample((x, torch.randint(0, 7, (4, 2, 3)))))
    yield LayerSample(Sample((5, 7), {"reduction": "none"}), Sample((x, torch.randn(4, 7).softmax(1))))
