"""Scenarios for segmentations of torchvision, and for what gathers features between layers."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from PIL import Image

from mindport.evidence.own.vision_models import (
    LONG,
    M,
    drawn_otherwise,
    images,
    made,
    same,
    settled,
    shares,
    stored,
)
from mindport.evidence.scenarios import Side, scenario

S = M + "segmentation."
BUILDERS = tuple(S + name for name in ("fcn_resnet50", "fcn_resnet101", "deeplabv3_resnet50", "deeplabv3_resnet101"))


@scenario(*BUILDERS, seconds=LONG)
def whole_segmentations(side: Side) -> Any:
    """Five classes with an auxiliary classifier: what is drawn and stored, both outputs in evaluation."""
    torch.manual_seed(7)
    options = {"weights_backbone": None, "num_classes": 5, "aux_loss": True}
    theirs = made(side.torchs, side.name, (), options)
    fresh = {name: value.clone() for name, value in theirs.state_dict().items()}
    settled(theirs, 64)
    model = made(side, side.name, (), options)
    complaints = drawn_otherwise(side, model, fresh)
    model = side.trains(side.with_weights(model, theirs), False)
    return [complaints, stored(side, model), [(name, shares(value)) for name, value in model(side.value(images(64))).items()]]


@scenario(S + "fcn.FCNHead", S + "deeplabv3.ASPPPooling", seconds=LONG)
def heads(side: Side) -> Any:
    """Sixteen channels, six outputs."""
    return same(side, 12, 16, 6, channels=16)


@scenario(S + "deeplabv3.ASPPConv")
def dilated(side: Side) -> Any:
    """Dilated by three."""
    return same(side, 12, 6, 4, 3, channels=6)


@scenario(S + "deeplabv3.ASPP")
def several_dilations(side: Side) -> Any:
    """Of two rates, with eight outputs."""
    return same(side, 12, 6, [2, 3], 8, channels=6)


@scenario(S + "deeplabv3.DeepLabHead", seconds=LONG)
def head_of_deeplab(side: Side) -> Any:
    """Rates of its own."""
    return same(side, 12, 6, 4, (2, 3), channels=6)


@scenario(M + "_utils.IntermediateLayerGetter", S + "FCN", S + "DeepLabV3", S + "_utils._SimpleSegmentationModel")
def features_between(side: Side) -> Any:
    """Of a sequence: the names of what comes out, and what is stored."""
    conv = [side.layer("torch.nn.Conv2d", i, o, 3, padding=1) for i, o in ((3, 4), (4, 6), (6, 2))]
    net = side.make("torch.nn.Sequential", *conv)
    getter = side.named(M + "_utils.IntermediateLayerGetter")
    features = getter(net, {"0": "aux", "1": "out"})
    if side.name.endswith("Getter"):
        found = features(side.value(images(8)))
        try:
            getter(net, {"7": "out"})
        except ValueError as error:
            return [list(found.items()), list(side.state(features)), str(error)]
        return "nothing was raised"
    heads = [side.layer("torch.nn.Conv2d", i, 5, 1, stride=2) for i in (6, 4)]
    return [list(side.call(features, *given)(side.value(images(8))).items()) for given in (heads[:1], heads)]


@scenario("torchvision.transforms._presets.SemanticSegmentation")
def prepared(side: Side) -> Any:
    """Resized and as it is."""
    picture = Image.fromarray(np.random.default_rng(0).integers(0, 256, (40, 30, 3), np.uint8))
    return [side.call(resize_size=size)(picture) for size in (24, None)]
