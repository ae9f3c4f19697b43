"""Scenarios for VGG, AlexNet and SqueezeNet of torchvision."""

from __future__ import annotations

from typing import Any

from mindport.evidence.own.vision_models import LONG, M, same
from mindport.evidence.scenarios import Side, scenario


@scenario(*(f"{M}vgg{layers}{end}" for layers in (11, 13, 16, 19) for end in ("", "_bn")), M + "squeezenet1_0", M + "squeezenet1_1", seconds=LONG)
def of_stacked_convolutions(side: Side) -> Any:
    """Ten classes, no dropout."""
    return same(side, 64, num_classes=10, dropout=0.0)


@scenario(M + "alexnet", M + "AlexNet", M + "SqueezeNet", seconds=LONG)
def of_few_convolutions(side: Side) -> Any:
    """Ten classes and another dropout, which evaluation does not ask for."""
    return same(side, 80, num_classes=10, dropout=0.2)


@scenario(M + "squeezenet.Fire")
def of_a_part(side: Side) -> Any:
    """Both widths differ."""
    return same(side, 12, 6, 4, 5, 7, channels=6)


@scenario(M + "vgg.make_layers")
def of_a_plan(side: Side) -> Any:
    """With normalisation and without."""
    return [same(side, 24, [8, "M", 16, 16, "M"], normalised) for normalised in (False, True)]
