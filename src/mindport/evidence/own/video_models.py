"""Scenarios for torchvision's networks over videos, and for what prepares videos for them."""

from __future__ import annotations

from typing import Any

from mindport.evidence.own.vision_models import images, same
from mindport.evidence.own.vision_models_dense import in_training
from mindport.evidence.scenarios import Side, scenario

V = "torchvision.models.video."
R = V + "resnet."


@scenario(V + "r3d_18", V + "mc3_18", V + "r2plus1d_18")
def same_weights_give_the_same(side: Side) -> Any:
    """A network with ten classes: as new, and with torchvision's weights, in both modes."""
    return [same(side, (2, 16, 16), num_classes=10), in_training(side, (2, 16, 16), num_classes=10)]


@scenario(V + "VideoResNet")
def a_network_of_other_sizes(side: Side) -> Any:
    """Bottlenecks, and a kind of convolutions for each stage."""
    kinds = [R + "Conv3DSimple", R + "Conv3DNoTemporal", R + "Conv2Plus1D", R + "Conv3DSimple"]
    return same(side, (4, 24, 24), R + "Bottleneck", kinds, [1, 1, 1, 1], R + "BasicStem", 5)


@scenario(R + "BasicStem", R + "R2Plus1dStem")
def a_stem(side: Side) -> Any:
    """Three channels become 64."""
    return same(side, (3, 12, 12))


@scenario(R + "Conv3DSimple", R + "Conv3DNoTemporal", R + "Conv2Plus1D")
def a_convolution(side: Side) -> Any:
    """With a stride; what a shortcut beside it strides."""
    return [same(side, (3, 9, 9), 24, 24, 20, 2, channels=24), side.call(3, 4, 5).get_downsample_stride(2)]


@scenario(R + "BasicBlock", R + "Bottleneck")
def a_block(side: Side) -> Any:
    """Whose shortcut is what comes in."""
    width = 24 if side.name.endswith("Block") else 96
    return same(side, (3, 8, 8), width, 24, R + "Conv2Plus1D", channels=width)


@scenario("torchvision.transforms._presets.VideoClassification")
def prepared_videos(side: Side) -> Any:
    """One of bytes that has the size already, several of fractions, larger and smaller."""
    preset = side.call(crop_size=(20, 24), resize_size=(26, 30))
    bytes_of_size = (images((5, 26, 30), 1, count=1)[0] * 60 + 128).clamp(0, 255).byte().transpose(0, 1).contiguous()
    videos = [bytes_of_size, (images((3, 40, 50), 2, channels=4) + 0.5).abs(), images((3, 16, 18), 3)]
    return [*(preset(side.value(video)) for video in videos), preset.crop_size, preset.resize_size]
