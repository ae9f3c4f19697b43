"""Scenarios for torchvision's transformers over images, and for ConvNeXt."""

from __future__ import annotations

from functools import partial
from typing import Any

import torch

from mindport.evidence.own.vision_models import LONG, M, drawn_otherwise, images, made, same, shares, stored
from mindport.evidence.own.vision_models_dense import in_training
from mindport.evidence.scenarios import Side, scenario

V, C, S, X = M + "vision_transformer.", M + "convnext.", M + "swin_transformer.", M + "maxvit."


def alike(side: Side, size: int, **options: Any) -> Any:
    """What differs in a large new network, names, and what torchvision's weights give for one image: as `same`, without gradients."""
    torch.manual_seed(7)
    theirs = made(side.torchs, side.name, (), options).eval()
    model = made(side, side.name, (), options)
    complaints = drawn_otherwise(side, model, theirs.state_dict())
    torch.manual_seed(8)  # one side has drawn a second model
    for parameter in theirs.parameters():
        if not parameter.any():
            torch.nn.init.normal_(parameter, std=0.02)
    model = side.trains(side.with_weights(model, theirs), False)
    return ["; ".join(complaints), stored(side, model), shares(model(side.value(images(size, count=1))))]


@scenario(M + "vit_b_16", M + "vit_l_16", M + "vit_l_32", seconds=LONG)
def a_large_vision_transformer(side: Side) -> Any:
    """Over one patch, with ten classes."""
    size = int(side.name.rpartition("_")[2])
    return alike(side, size, image_size=size, num_classes=10)


@scenario(M + "vit_b_32", seconds=LONG)
def a_vision_transformer(side: Side) -> Any:
    """Over four patches, with ten classes: as new, and with torchvision's weights, in both modes."""
    size = 2 * int(side.name.rpartition("_")[2])
    return [same(side, size, image_size=size, num_classes=10), in_training(side, size, image_size=size, num_classes=10)]


@scenario(M + "VisionTransformer")
def a_vision_transformer_of_other_sizes(side: Side) -> Any:
    """With a layer more before the classes, and with several convolutions in the place of patches."""
    stem = [(V + "ConvStemConfig", 8, 3, 2), (V + "ConvStemConfig", 16, 3, 2)]
    sizes = (12, 4, 2, 2, 16, 32, 0.0, 0.0, 5, 7)
    return [same(side, 12, *sizes), same(side, 12, *sizes, conv_stem_configs=stem)]


@scenario(V + "MLPBlock", V + "EncoderBlock", V + "Encoder")
def parts_of_vision_transformers(side: Side) -> Any:
    """Sequences of 10 tokens of 32 numbers."""
    given: dict[str, tuple[Any, ...]] = {"MLPBlock": (32, 64, 0.0), "EncoderBlock": (4, 32, 64, 0.0, 0.0), "Encoder": (10, 2, 4, 32, 64, 0.0, 0.0)}
    return same(side, (32,), *given[side.name.rpartition(".")[2]], channels=10)


@scenario(V + "ConvStemConfig")
def what_a_stem_is_told(side: Side) -> Any:
    """Names and values; the others are classes."""
    told = side.call(8, 3, stride=2)
    return [told._fields, tuple(told)[:3], told.kernel_size]


@scenario(M + "convnext_small", M + "convnext_base", M + "convnext_large", seconds=LONG)
def a_large_convnext(side: Side) -> Any:
    """With ten classes."""
    return alike(side, 32, num_classes=10, layer_scale=0.1)


@scenario(M + "convnext_tiny", seconds=LONG)
def a_convnext(side: Side) -> Any:
    """With ten classes: as new, and with torchvision's weights, in both modes."""
    options: dict[str, Any] = {"num_classes": 10, "layer_scale": 0.1, "stochastic_depth_prob": 0.0}
    return [same(side, 32, **options), in_training(side, 32, **options)]


@scenario(M + "ConvNeXt")
def a_convnext_of_other_sizes(side: Side) -> Any:
    """Two stages, the second of which ends in a convolution, too."""
    return same(side, 32, [(C + "CNBlockConfig", 8, 16, 2), (C + "CNBlockConfig", 16, 24, 1)], 0.0, 0.5, 5)


@scenario(C + "CNBlockConfig")
def a_stage_of_convnext(side: Side) -> Any:
    """Names and text."""
    told = side.call(8, None, num_layers=2)
    return [told.input_channels, told.out_channels, told.num_layers, repr(told)]


@scenario(C + "CNBlock", C + "LayerNorm2d")
def parts_of_convnext(side: Side) -> Any:
    """24 channels."""
    return same(side, 9, *((24, 0.5, 0.0) if side.name.endswith("Block") else (24, 1e-6)), channels=24)


@scenario(M + "swin_s", M + "swin_b", M + "swin_v2_s", M + "swin_v2_b", seconds=LONG)
def a_large_swin_transformer(side: Side) -> Any:
    """With ten classes."""
    return alike(side, 72, num_classes=10)


@scenario(M + "swin_t", M + "swin_v2_t", seconds=LONG)
def a_swin_transformer(side: Side) -> Any:
    """With ten classes, on images that its windows shift over: as new, and with torchvision's weights."""
    return same(side, 72, num_classes=10)


@scenario(M + "SwinTransformer")
def a_swin_transformer_of_other_sizes(side: Side) -> Any:
    """Of both versions, without dropping of paths while training."""
    sizes = [[2, 2], 16, [2, 2], [2, 4], [3, 2], 2.0, 0.0, 0.0, 0.0, 5]
    second: dict[str, Any] = {"block": S + "SwinTransformerBlockV2", "downsample_layer": S + "PatchMergingV2"}
    return [same(side, 15, *sizes), in_training(side, 15, *sizes), same(side, 15, *sizes, **second)]


@scenario(S + "SwinTransformerBlock", S + "SwinTransformerBlockV2", S + "ShiftedWindowAttention", S + "ShiftedWindowAttentionV2", S + "PatchMerging", S + "PatchMergingV2")
def parts_of_swin_transformers(side: Side) -> Any:
    """Images (7, 9) of 32 channels, a window of 4x3 that is shifted by 2 and by 1."""
    kind = side.name.rpartition(".")[2]
    given: tuple[Any, ...] = (32, 4, [4, 3], [2, 1]) if "Block" in kind else (32, [4, 3], [2, 1], 4) if "Attention" in kind else (32,)
    return same(side, (9, 32), *given, channels=7)


@scenario(S + "shifted_window_attention")
def shifted_windows(side: Side) -> Any:
    """Shifted along one axis, both and none; the second version's cosines."""
    draw = partial(torch.randn, generator=torch.Generator().manual_seed(0))
    x, qkv, proj, pairs, scale = (side.value(draw(shape) / 3) for shape in ((2, 6, 7, 8), (24, 8), (8, 8), (1, 2, 12, 12), (2, 1, 1)))
    bias = side.value(draw(24))
    found = [side.call(x, qkv, proj, pairs, [4, 3], 2, shift_size=shift) for shift in ([2, 1], [0, 1], [2, 0], [0, 0])]
    return [*found, side.call(x, qkv, proj, pairs, [4, 3], 2, [2, 1], qkv_bias=bias, proj_bias=bias[:8], logit_scale=scale, training=False)]


@scenario(M + "MaxVit")
def a_maxvit_of_other_sizes(side: Side) -> Any:
    """Two blocks, in both modes."""
    sizes = [(32, 32), 8, 4, [16, 24], [2, 1], 8, 0.0]
    return [same(side, (32, 32), *sizes, num_classes=5), in_training(side, (32, 32), *sizes, num_classes=5)]


@scenario(M + "maxvit_t", seconds=LONG)
def a_maxvit(side: Side) -> Any:
    """With ten classes: as new, and what torchvision's weights give for an image."""
    return alike(side, 224, num_classes=10)


@scenario(X + "MBConv", X + "RelativePositionalMultiHeadAttention", X + "PartitionAttentionLayer", X + "MaxVitLayer", X + "MaxVitBlock")
def parts_of_maxvit(side: Side) -> Any:
    """Images (8, 8), a grid of 2x2 and windows of 4x4; 16 channels, 24 behind the convolutions."""
    gelu, norm, layer_norm = "torch.nn.GELU", "torch.nn.BatchNorm2d", "torch.nn.LayerNorm"
    kind = side.name.rpartition(".")[2]
    if kind == "PartitionAttentionLayer":
        return [same(side, (8, 8), 16, 8, 4, where, (8, 8), 2, gelu, layer_norm, 0.0, 0.0, 0.0, channels=16) for where in ("window", "grid")]
    if kind == "RelativePositionalMultiHeadAttention":
        return same(side, (16, 24), 24, 8, 16, channels=3)
    given: dict[str, tuple[Any, ...]] = {
        "MBConv": (16, 24, 2, 0.25, 2, gelu, norm),
        "MaxVitLayer": (16, 24, 0.25, 2, 1, norm, gelu, 8, 2, 0.0, 0.0, 0.0, 4, (8, 8)),
        "MaxVitBlock": (16, 24, 0.25, 2, norm, gelu, 8, 2, 0.0, 0.0, 4, (16, 16), 2, [0.0, 0.0]),
    }
    return same(side, (16, 16) if kind == "MaxVitBlock" else (8, 8), *given[kind], channels=16)


@scenario(X + "SwapAxes", X + "WindowPartition", X + "WindowDepartition")
def steps_of_maxvit(side: Side) -> Any:
    """Of images (8, 8)."""
    kind = side.name.rpartition(".")[2]
    x = side.value(images((16, 5) if kind == "WindowDepartition" else (8, 8)))
    if kind == "SwapAxes":
        return side.call(-2, -3)(x)
    return side.call()(x, 4) if kind == "WindowPartition" else side.call()(x, 4, 1, 3)
