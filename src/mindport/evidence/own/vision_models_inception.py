"""Scenarios for GoogLeNet and Inception v3 of torchvision."""

from __future__ import annotations

from typing import Any

import torch

from mindport.evidence.own.vision_models import LONG, M, drawn_otherwise, made, same, stored
from mindport.evidence.scenarios import Side, scenario


@scenario(M + "inception_v3", M + "Inception3", seconds=LONG)
def of_inception(side: Side) -> Any:
    """Ten classes, without the auxiliary head, with images in other colours; how a network with the head is drawn."""
    torch.manual_seed(3)
    options = {"num_classes": 10, "init_weights": True}
    fresh = made(side.torchs, side.name, (), options).state_dict()
    whole = made(side, side.name, (), options)
    return [same(side, 107, **options, aux_logits=False, transform_input=True), drawn_otherwise(side, whole, fresh), stored(side, whole)]


@scenario(M + "googlenet", M + "GoogLeNet", seconds=LONG)
def of_googlenet(side: Side) -> Any:
    """Ten classes; without auxiliary heads, with images in other colours."""
    return [same(side, 64, num_classes=10, init_weights=True), same(side, 64, num_classes=10, init_weights=True, aux_logits=False, transform_input=True)]


@scenario(M + "inception.InceptionA", M + "inception.InceptionC")
def of_blocks(side: Side) -> Any:
    """Twelve channels, eight in the branch that differs."""
    return same(side, 12, 12, 8, channels=12)


@scenario(M + "inception.InceptionB", M + "inception.InceptionD", M + "inception.InceptionE")
def of_fixed_blocks(side: Side) -> Any:
    """Twelve channels."""
    return same(side, 13, 12, channels=12)


@scenario(M + "googlenet.Inception")
def of_four_ways(side: Side) -> Any:
    """All widths differ."""
    return same(side, 12, 12, 3, 4, 5, 6, 7, 8, channels=12)


@scenario(M + "inception.InceptionAux", M + "googlenet.InceptionAux")
def of_heads(side: Side) -> Any:
    """Ten classes."""
    return same(side, 17, 12, 10, channels=12)


@scenario(M + "inception.BasicConv2d")
def of_convolution(side: Side) -> Any:
    """With a stride and padding of its own."""
    return same(side, 12, 3, 8, kernel_size=(3, 1), stride=2, padding=(1, 0))


@scenario(M + "InceptionOutputs", M + "GoogLeNetOutputs")
def of_outputs(side: Side) -> Any:
    """Fields by name and by place."""
    kind = side.named(side.name)
    made = kind(*range(len(kind._fields)))
    return [kind._fields, tuple(made), made.logits, repr(made)]
