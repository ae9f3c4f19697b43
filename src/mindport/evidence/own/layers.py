"""Samples of layers as projects build them: what torch's module database lacks, or never combines.

Each row is constructor arguments, keyword arguments and the shapes of the inputs (a tensor stands for itself).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch

from mindport.evidence.layer_samples import LayerSample, own_layer
from mindport.evidence.samples import Sample

Row = tuple[tuple[Any, ...], dict[str, Any], tuple[Any, ...]]

IMAGE = (2, 6, 9, 8)
SMALL = (2, 4, 5, 4)

ROWS: dict[str, list[Row]] = {
    "torch.nn.Conv1d": [
        ((3, 6, 3), {"stride": 2, "padding": 1, "bias": False}, ((2, 3, 9),)),
        ((3, 6, (3,)), {"padding": (1,), "groups": 3}, ((2, 3, 9),)),
        ((3, 6, 3), {"padding": 1, "padding_mode": "circular"}, ((2, 3, 9),)),
    ],
    "torch.nn.Conv2d": [
        ((6, 4, 7), {"stride": 2, "padding": 3, "bias": False}, (IMAGE,)),
        ((6, 4, (1, 7)), {"padding": (0, 3)}, (IMAGE,)),
        ((6, 6, 3), {"padding": 2, "dilation": 2, "groups": 6}, (IMAGE,)),
        ((6, 4, (4, 2)), {"padding": "same"}, (IMAGE,)),
        ((6, 4, 3), {"padding": (1, 2), "padding_mode": "replicate"}, (IMAGE,)),
        ((6, 4, 3), {"padding": 1, "padding_mode": "reflect"}, (IMAGE,)),
    ],
    "torch.nn.Conv3d": [
        ((4, 6, (1, 3, 3)), {"padding": (0, 1, 1), "stride": (1, 2, 2)}, ((2, 4, 3, 6, 5),)),
        ((4, 6, 3), {"padding": 1, "groups": 2, "bias": False}, ((2, 4, 3, 4, 5),)),
    ],
    "torch.nn.ConvTranspose1d": [
        ((4, 6, 3), {"stride": 2, "padding": 1, "output_padding": 1}, ((2, 4, 5),)),
        ((4, 6, 3), {"stride": 3, "output_padding": 2}, ((2, 4, 5),)),
    ],
    "torch.nn.ConvTranspose2d": [
        ((4, 6, 2, 2, 0), {}, (SMALL,)),
        ((4, 6, 3), {"stride": 2, "padding": 1, "output_padding": 1}, (SMALL,)),
        ((4, 6, 3), {"stride": 2, "output_padding": 1}, (SMALL,)),
        ((4, 6, 3), {"stride": (2, 3), "padding": (1, 0), "output_padding": (1, 2)}, (SMALL,)),
        ((4, 6, 3), {"groups": 2, "dilation": 2, "bias": False}, (SMALL,)),
    ],
    "torch.nn.ConvTranspose3d": [((4, 6, 3), {"stride": 2, "padding": 1, "output_padding": 1}, ((2, 4, 3, 4, 3),))],
    "torch.nn.Unfold": [((3,), {}, (IMAGE,)), (((2, 3),), {"stride": 2, "padding": (1, 0), "dilation": 1}, (IMAGE,))],
    "torch.nn.Fold": [(((7, 8), 3), {}, ((2, 27, 30),)), ((8, 2), {"stride": 2}, ((2, 12, 16),))],
    "torch.nn.Identity": [((), {}, (SMALL,)), ((5,), {"unused": 1}, (SMALL,))],
    "torch.nn.Linear": [((4, 3), {"bias": False}, (SMALL,)), ((4, 3), {}, ((4,),))],
    "torch.nn.BatchNorm1d": [((4,), {"momentum": 0.03, "eps": 1e-3}, ((5, 4),)), ((4,), {}, ((5, 4, 3),))],
    "torch.nn.BatchNorm2d": [
        ((6,), {}, (IMAGE,)),
        ((6, 1e-3, 0.01), {}, (IMAGE,)),
        ((6,), {"affine": False, "track_running_stats": False}, (IMAGE,)),
    ],
    "torch.nn.BatchNorm3d": [((4,), {"momentum": 0.3}, ((2, 4, 3, 2, 3),))],
    "torch.nn.LayerNorm": [
        ((8,), {"eps": 1e-6}, (IMAGE,)),
        (((9, 8),), {}, (IMAGE,)),
        ((8,), {"elementwise_affine": False}, (IMAGE,)),
    ],
    "torch.nn.GroupNorm": [((3, 6), {"eps": 1e-3}, (IMAGE,)), ((1, 6), {"affine": False}, ((2, 6),))],
    "torch.nn.InstanceNorm2d": [((6,), {"affine": True, "track_running_stats": True}, (IMAGE,))],
    "torch.nn.LocalResponseNorm": [((5,), {"alpha": 0.1}, (IMAGE,)), ((4,), {"alpha": 0.1, "k": 2.0}, (IMAGE,))],
    "torch.nn.MaxPool2d": [
        ((3, 2, 1), {}, (IMAGE,)),
        ((3,), {"stride": 2, "ceil_mode": True}, (IMAGE,)),
        (((3, 2), (2, 1), (1, 0)), {"dilation": 2}, (IMAGE,)),
        ((2,), {"return_indices": True}, (IMAGE,)),
    ],
    "torch.nn.AvgPool2d": [
        ((3, 1, 1), {}, (IMAGE,)),
        ((3, 2, 1), {"ceil_mode": True, "count_include_pad": False}, (IMAGE,)),
        ((2,), {"divisor_override": 3}, (IMAGE,)),
    ],
    "torch.nn.AdaptiveAvgPool2d": [((1,), {}, (IMAGE,)), (((7, 7),), {}, (IMAGE,)), (((None, 3),), {}, (IMAGE,))],
    "torch.nn.AdaptiveAvgPool1d": [((4,), {}, ((2, 3, 9),))],
    "torch.nn.AdaptiveMaxPool2d": [(((4, 3),), {}, (IMAGE,)), ((2,), {"return_indices": True}, (IMAGE,))],
    "torch.nn.Flatten": [((), {}, (SMALL,)), ((1, 2), {}, (SMALL,)), ((0,), {}, ((5,),))],
    "torch.nn.Unflatten": [((1, (2, 2)), {}, (SMALL,)), ((-1, (2, -1)), {}, (SMALL,))],
    "torch.nn.PixelShuffle": [((2,), {}, (SMALL,))],
    "torch.nn.PixelUnshuffle": [((2,), {}, ((2, 3, 4, 6),))],
    "torch.nn.ChannelShuffle": [((2,), {}, (SMALL,))],
    "torch.nn.Upsample": [
        ((), {"scale_factor": 2}, (SMALL,)),
        ((), {"size": (7, 9), "mode": "bilinear"}, (SMALL,)),
        ((), {"size": (7, 9), "mode": "bilinear", "align_corners": True}, (SMALL,)),
        ((), {"scale_factor": 2, "mode": "linear"}, ((2, 3, 5),)),
    ],
    "torch.nn.UpsamplingNearest2d": [((), {"scale_factor": 2}, (SMALL,))],
    "torch.nn.UpsamplingBilinear2d": [((), {"size": (7, 9)}, (SMALL,))],
    "torch.nn.CosineSimilarity": [((), {}, (SMALL, SMALL)), ((-1,), {}, ((3, 4), (3, 4)))],
    "torch.nn.PairwiseDistance": [((), {}, ((3, 4), (3, 4))), ((3.0,), {"keepdim": True}, ((3, 4), (3, 4)))],
    "torch.nn.Dropout": [((0.0,), {}, (SMALL,)), ((0.4,), {}, ((40, 40),))],
    "torch.nn.Dropout1d": [((0.4,), {}, ((30, 30, 2),))],
    "torch.nn.Dropout2d": [((0.4,), {}, ((30, 30, 2, 2),))],
    "torch.nn.Dropout3d": [((0.4,), {}, ((30, 30, 2, 1, 1),))],
    "torch.nn.AlphaDropout": [((0.4,), {}, ((40, 40),))],
    "torch.nn.RReLU": [((0.1, 0.3), {}, ((40, 40),))],
    "torch.nn.Hardsigmoid": [((), {}, (SMALL,))],
    "torch.nn.LPPool1d": [((2, 3), {"stride": 1}, ((2, 3, 9),))],
    "torch.nn.MaxUnpool2d": [((2,), {}, tuple(torch.nn.MaxPool2d(2, return_indices=True)(torch.arange(96.0).reshape(2, 3, 4, 4))))],
    "torch.nn.EmbeddingBag": [
        ((9, 4), {"mode": "sum"}, (torch.tensor([[1, 2, 3], [0, 8, 1]]),)),
        ((9, 4), {}, (torch.tensor([1, 2, 3, 0, 8, 1]), torch.tensor([0, 2, 2, 5]))),
        ((9, 4), {"mode": "max", "padding_idx": 1}, (torch.tensor([[1, 2, 3], [0, 8, 1]]),)),
        ((9, 4), {"max_norm": 1.0, "scale_grad_by_freq": True}, (torch.tensor([[1, 2, 3], [0, 8, 1]]),)),
    ],
    "torch.nn.Embedding": [
        ((9, 4), {"padding_idx": 0}, (torch.tensor([[1, 0, 3], [0, 8, 1]]),)),
        ((9, 4), {"padding_idx": -1}, (torch.tensor([1, 0, 8]),)),
        ((9, 4), {"max_norm": 1}, (torch.tensor([1, 0, 8, 1]),)),
        ((9, 4), {"max_norm": 0.5, "norm_type": 1.0, "padding_idx": 3, "scale_grad_by_freq": True}, (torch.tensor([[1, 3, 8, 1]]),)),
    ],
    "torch.nn.LSTM": [
        ((3, 4), {"num_layers": 2, "bidirectional": True}, ((5, 2, 3),)),
        ((3, 4), {"batch_first": True}, ((2, 5, 3),)),
    ],
    "torch.nn.GRU": [((3, 4), {"num_layers": 2, "bidirectional": True}, ((5, 2, 3),)), ((3, 4), {"batch_first": True}, ((2, 5, 3),))],
    "torch.nn.RNN": [((3, 4), {"nonlinearity": "relu"}, ((5, 2, 3),)), ((3, 4), {"batch_first": True}, ((2, 5, 3),))],
    "torch.nn.MultiheadAttention": [
        ((8, 2), {"batch_first": True}, ((2, 5, 8), (2, 4, 8), (2, 4, 8))),
        ((8, 2), {"kdim": 6, "vdim": 3}, ((5, 2, 8), (4, 2, 6), (4, 2, 3))),
    ],
    "torch.nn.TripletMarginLoss": [((0.5,), {"swap": True}, ((3, 4), (3, 4), (3, 4)))],
    "torch.nn.TripletMarginWithDistanceLoss": [((), {"margin": 0.5}, ((3, 4), (3, 4), (3, 4)))],
}  # fmt: skip


def _layer_samples(name: str) -> Iterator[LayerSample]:
    generator = torch.Generator().manual_seed(0)
    for args, kwargs, inputs in ROWS[name]:
        given = tuple(x if isinstance(x, torch.Tensor) else torch.randn(x, generator=generator) * 2 for x in inputs)
        yield LayerSample(Sample(args, kwargs), Sample(given))


def _register(name: str) -> None:
    own_layer(name)(lambda: _layer_samples(name))


for _name in ROWS:
    _register(_name)
