"""Scenarios for torchvision's densely connected and shuffled networks, transformers and networks over videos."""

from __future__ import annotations

from typing import Any

import torch

from mindport.evidence.own.vision_models import LONG, M, images, made, same, settled, shares
from mindport.evidence.scenarios import Side, scenario

DENSE = ("densenet121", "densenet161", "densenet169", "densenet201")
SHUFFLED = ("shufflenet_v2_x0_5", "shufflenet_v2_x1_0", "shufflenet_v2_x1_5", "shufflenet_v2_x2_0")


def in_training(side: Side, size: int | tuple[int, ...], *arguments: Any, channels: int = 3, **options: Any) -> Any:
    """What the model gives in training mode, with torchvision's weights, as a share of the largest number.

    Biases of normalisations are positive: a channel that relu leaves nearly nothing of would be divided by the little that is left.
    """
    torch.manual_seed(7)
    theirs = settled(made(side.torchs, side.name, arguments, options), size, channels)
    for norm in theirs.modules():
        if isinstance(norm, torch.nn.modules.batchnorm._BatchNorm):
            norm.bias.data.abs_()
    model = side.trains(side.with_weights(made(side, side.name, arguments, options), theirs))  # a class is born in evaluation mode; conversion adds this call
    return shares(model(side.value(images(size, count=8, channels=channels))))


@scenario(*(M + name for name in (*DENSE, *SHUFFLED)), seconds=LONG)
def same_weights_give_the_same(side: Side) -> Any:
    """A network with ten classes: as new, and with torchvision's weights, in both modes."""
    return [same(side, 64, num_classes=10), in_training(side, 64, num_classes=10)]


@scenario(M + "DenseNet", M + "densenet._DenseBlock", M + "densenet._DenseLayer", M + "densenet._Transition")
def parts_of_dense_networks(side: Side) -> Any:
    """Of other sizes; "memory_efficient" gives the same numbers."""
    given: dict[str, tuple[Any, ...]] = {"DenseNet": (8, (2, 3), 12, 2, 0, 5, True), "_DenseBlock": (3, 3, 2, 4, 0.0), "_DenseLayer": (3, 4, 2, 0, True), "_Transition": (32, 32)}
    kind = side.name.rpartition(".")[2]
    return same(side, 32, *given[kind], channels=32 if kind == "_Transition" else 3)


@scenario(M + "ShuffleNetV2", M + "shufflenetv2.InvertedResidual")
def parts_of_shuffled_networks(side: Side) -> Any:
    """Of other sizes."""
    if side.name.endswith("V2"):
        return same(side, 32, [1, 2, 1], [8, 16, 24, 32, 40], 5)
    return [same(side, 16, 24, 48, 2, channels=24), same(side, 16, 48, 48, 1, channels=48)]


@scenario(M + "shufflenetv2.channel_shuffle")
def shuffled_channels(side: Side) -> Any:
    """In two and three groups."""
    return [side.call(side.value(images(3, channels=12)), groups) for groups in (2, 3)]
