"""Scenarios for torchvision's mobile networks and the blocks that they are made of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from mindport.evidence.own.vision_models import LONG, M, images, made, same, settled, shares, stored
from mindport.evidence.scenarios import Side, scenario

OPS = "torchvision.ops."


def in_training(side: Side, given: torch.Tensor, *arguments: Any, **options: Any) -> list[Any]:
    """The names of what is stored, outputs and gradients in training mode, of what the API under test makes of the arguments (`made`) and torch's weights."""
    return compared(side, lambda to: made(to, side.name, arguments, options), given)


def compared(side: Side, built: Callable[[Side], Any], given: torch.Tensor) -> list[Any]:
    """The names of what is stored, outputs and gradients in training mode, of what is built for a side, with torch's weights."""
    torch.manual_seed(7)
    theirs = built(side.torchs)
    module = side.trains(side.with_weights(built(side), theirs))
    output = module(side.value(given))
    gradient = side.gradients(lambda x: module(x).sin(), given)[0]
    return [stored(side, module), output, gradient]


@scenario(OPS + "Conv2dNormActivation", OPS + "misc.ConvNormActivation")
def a_convolution_with_its_normalisation(side: Side) -> Any:
    """By default; of a long kernel, dilated; without normalisation; without activation and with a bias."""
    return [
        in_training(side, images(12), 3, 8),
        in_training(side, images(12), 3, 6, (3, 5), 2, None, 3, dilation=(2, 1), activation_layer="torch.nn.SiLU"),
        in_training(side, images(12), 3, 4, 1, norm_layer=None, inplace=None),
        in_training(side, images(12), 3, 4, 5, 1, 1, activation_layer=None, bias=True),
    ]


@scenario(OPS + "Conv3dNormActivation")
def a_convolution_of_volumes(side: Side) -> Any:
    """By default; of other lengths along the axes; dilated along one."""
    given = torch.randn(2, 3, 5, 6, 7, generator=torch.Generator().manual_seed(0))
    return [
        in_training(side, given, 3, 4),
        in_training(side, given, 3, 4, (1, 3, 3), (1, 2, 2), norm_layer=None),
        in_training(side, given, 3, 4, dilation=(1, 2, 1), activation_layer=None),
    ]


@scenario(OPS + "SqueezeExcitation")
def a_factor_for_every_channel(side: Side) -> Any:
    """By default and with other functions."""
    return [
        in_training(side, images(6, channels=8), 8, 2),
        in_training(side, images(6, channels=8), 8, 3, activation="torch.nn.SiLU", scale_activation="torch.nn.Hardsigmoid"),
    ]


@scenario(OPS + "MLP")
def a_perceptron(side: Side) -> Any:
    """One layer; three with a normalisation; without biases, all of it in place."""
    given = torch.randn(4, 5, generator=torch.Generator().manual_seed(0))
    return [
        in_training(side, given, 5, [3]),
        in_training(side, given, 5, [6, 7, 2], "torch.nn.LayerNorm", "torch.nn.GELU"),
        in_training(side, given, 5, [6, 2], bias=False, inplace=True),
    ]


SMALL = ("mobilenet_v2", "mobilenet_v3_small", "mobilenet_v3_large", "mnasnet0_5", "mnasnet0_75", "mnasnet1_0", "mnasnet1_3", "efficientnet_b0", "efficientnet_b1", "efficientnet_b2", "efficientnet_b3", "efficientnet_b4", "efficientnet_v2_s")
LARGE = ("efficientnet_b5", "efficientnet_b6")
#: Those that are too deep for more than outputs within half a minute.
DEEP = ("efficientnet_b7", "efficientnet_v2_m", "efficientnet_v2_l", "regnet_x_32gf", "regnet_y_32gf")
REGULAR = tuple(f"regnet_{kind}_{size}" for kind in "xy" for size in ("400mf", "800mf", "1_6gf", "3_2gf", "8gf", "16gf"))


@scenario(*(M + name for name in (*SMALL, *LARGE, *REGULAR)), seconds=LONG)
def same_weights_give_the_same_again(side: Side) -> Any:
    """A network with ten classes: as new, and with torchvision's weights."""
    return same(side, 40, num_classes=10)


def whole(side: Side, **options: Any) -> Any:
    """The names of what is stored in a network and its outputs in training mode as shares of the largest number: rounding is as large as that."""
    names, output, _ = in_training(side, images(96, count=12), num_classes=3, **options)
    return [names, shares(output)]


@scenario(*(M + name for name in ("mobilenet_v2", "mobilenet_v3_small", "mnasnet0_5")), seconds=LONG)
def the_same_in_training(side: Side) -> Any:
    """A network with three classes and without dropout, its statistics those of the batch."""
    return whole(side, dropout=0.0)


@scenario(*(M + name for name in DEEP), seconds=LONG)
def the_same_outputs(side: Side) -> Any:
    """A network with ten classes and torchvision's weights: what is stored, outputs in evaluation as shares of the largest number."""
    torch.manual_seed(7)
    theirs = settled(made(side.torchs, side.name, (), {"num_classes": 10}), 40)
    model = side.trains(side.with_weights(side.call(num_classes=10), theirs), False)
    return [stored(side, model), shares(model(side.value(images(40))))]


@scenario(M + "efficientnet_b0", seconds=LONG)
def the_same_in_training_without_chance(side: Side) -> Any:
    """A network with three classes, without dropout and with all of its blocks, its statistics those of the batch."""
    return whole(side, dropout=0.0, stochastic_depth_prob=0.0)


@scenario(M + "regnet_x_400mf", M + "regnet_y_400mf", seconds=LONG)
def the_same_in_training_of_regnets(side: Side) -> Any:
    """A network with three classes, its statistics those of the batch."""
    return whole(side)


@scenario(M + "MobileNetV2")
def a_mobile_network_of_other_sizes(side: Side) -> Any:
    """Narrow, of two stages, its channels not rounded."""
    return same(side, 24, 7, 0.6, [[1, 8, 1, 1], [3, 12, 2, 2]], 4, dropout=0.5)


@scenario(M + "mobilenet_v3_large", M + "mobilenet_v3_small", seconds=LONG)
def a_network_for_segmentation(side: Side) -> Any:
    """Narrow, its last blocks narrower and dilated."""
    return same(side, 32, num_classes=5, width_mult=0.5, reduced_tail=True, dilated=True)


@scenario(M + "mobilenetv2.InvertedResidual")
def an_inverted_residual(side: Side) -> Any:
    """With its shortcut; with a stride; without a wider part."""
    return [in_training(side, images(9, channels=4), *arguments) for arguments in ((4, 4, 1, 3), (4, 6, 2, 2), (4, 4, 1, 1, "torch.nn.BatchNorm2d"))]


def settings(side: Side, name: str, *rows: tuple[Any, ...]) -> list[Any]:
    """The sizes of blocks, of a side."""
    return [side.named(M + name)(*row) for row in rows]


def of_settings(side: Side, given: torch.Tensor, name: str, *rows: tuple[Any, ...], listed: bool = False, more: tuple[Any, ...] = (), **options: Any) -> list[Any]:
    """What the API under test makes of sizes, in training mode: outputs and gradients."""

    def built(to: Side) -> Any:
        sizes = settings(to, name, *rows)
        classes = [to.named(value) if isinstance(value, str) else value for value in more]
        return to.named(side.name)(sizes if listed else sizes[0], *classes, **options)

    return compared(side, built, given)


@scenario(M + "mobilenetv3.InvertedResidual")
def a_block_of_version_three(side: Side) -> Any:
    """With squeeze and excitation; with a stride; dilated."""
    rows: tuple[tuple[Any, ...], ...] = ((8, 3, 16, 8, True, "HS", 1, 1, 1.0), (8, 5, 8, 16, False, "RE", 2, 1, 1.0), (8, 5, 32, 16, True, "RE", 2, 2, 1.0))
    return [of_settings(side, images(9, channels=8), "mobilenetv3.InvertedResidualConfig", row, more=("torch.nn.BatchNorm2d",)) for row in rows]


@scenario(M + "MobileNetV3")
def a_network_of_version_three(side: Side) -> Any:
    """Of two blocks; options that are not looked at."""
    rows: tuple[tuple[Any, ...], ...] = ((8, 3, 16, 8, True, "HS", 1, 1, 1.0), (8, 5, 24, 16, False, "RE", 2, 1, 1.0))
    return of_settings(side, images(24), "mobilenetv3.InvertedResidualConfig", *rows, listed=True, more=(12, 5), dropout=0.0, unknown=1)


@scenario(M + "efficientnet.MBConv")
def a_depthwise_block(side: Side) -> Any:
    """With its shortcut; with a stride; not wider inside."""
    return [of_settings(side, images(9, channels=8), "efficientnet.MBConvConfig", row, more=(0.0, "torch.nn.BatchNorm2d")) for row in ((4, 3, 1, 8, 8, 1), (2, 5, 2, 8, 16, 1), (1, 3, 1, 8, 8, 1))]


@scenario(M + "efficientnet.FusedMBConv")
def a_fused_block(side: Side) -> Any:
    """With its shortcut; with a stride; not wider inside."""
    return [of_settings(side, images(9, channels=8), "efficientnet.FusedMBConvConfig", row, more=(0.0, "torch.nn.BatchNorm2d")) for row in ((4, 3, 1, 8, 8, 1), (2, 5, 2, 8, 16, 1), (1, 3, 1, 8, 8, 1))]


@scenario(M + "EfficientNet")
def an_efficient_network_of_other_sizes(side: Side) -> Any:
    """Two stages of several blocks."""
    rows: tuple[tuple[Any, ...], ...] = ((1, 3, 1, 8, 8, 2), (4, 5, 2, 8, 16, 3))
    return of_settings(side, images(24), "efficientnet.MBConvConfig", *rows, listed=True, more=(0.0, 0.0), num_classes=4, last_channel=20)


@scenario(M + "mobilenetv3.InvertedResidualConfig", M + "efficientnet.MBConvConfig", M + "efficientnet.FusedMBConvConfig", M + "efficientnet._MBConvConfig")
def sizes_of_blocks(side: Side) -> Any:
    """What is kept of the arguments, its channels rounded."""
    row: tuple[Any, ...] = (13, 3, 41, 29, True, "HS", 2, 1, 0.7) if "mobilenet" in side.name else (4, 3, 1, 13, 41, 3)
    made = side.call(*row, **({"block": None} if "_MB" in side.name else {}))
    more = [side.call(*row, width_mult=1.3, depth_mult=1.4)] if side.name.endswith(".MBConvConfig") else []
    return [{name: value for name, value in vars(sizes).items() if name != "block"} for sizes in (made, *more)] + [made.adjust_channels(30, 0.9)]


@scenario(M + "regnet.BlockParams")
def sizes_of_stages(side: Side) -> Any:
    """Of many networks."""
    cases = [(depth, w_0, w_a, w_m, group, ratio) for depth in (1, 13, 27) for w_0 in (8, 56, 232) for w_a in (0.0, 27.89, 160.83) for w_m in (1.5, 2.0, 2.65) for group, ratio in ((8, 1.0), (24, 0.5), (112, 2.0))]
    classes = side.named(side.name)
    made = [classes.from_init_params(*case, se_ratio=0.25) for case in cases]
    return [vars(sizes) for sizes in made] + [list(sizes._get_expanded_params()) for sizes in made[:3]]


@scenario(M + "regnet.SimpleStemIN")
def a_stem(side: Side) -> Any:
    """From three channels."""
    return in_training(side, images(9), 3, 8, "torch.nn.BatchNorm2d", "torch.nn.ReLU")


@scenario(M + "regnet.BottleneckTransform")
def a_bottleneck_of_groups(side: Side) -> Any:
    """With and without squeeze and excitation."""
    return [in_training(side, images(9, channels=8), 8, 16, 2, "torch.nn.BatchNorm2d", "torch.nn.SiLU", 4, 1.0, ratio) for ratio in (None, 0.25)]


@scenario(M + "regnet.ResBottleneckBlock")
def a_residual_bottleneck(side: Side) -> Any:
    """With a shortcut, and with a convolution instead."""
    return [in_training(side, images(9, channels=8), 8, wide, stride, "torch.nn.BatchNorm2d", "torch.nn.ReLU", 4, 0.5, 0.25) for wide, stride in ((8, 1), (16, 2))]


@scenario(M + "regnet.AnyStage")
def a_stage(side: Side) -> Any:
    """Of three blocks."""
    return in_training(side, images(9, channels=8), 8, 16, 2, 3, M + "regnet.ResBottleneckBlock", "torch.nn.BatchNorm2d", "torch.nn.ReLU", 4, 1.0, 0.25, 2)


@scenario(M + "RegNet")
def a_regular_network(side: Side) -> Any:
    """Two narrow stages."""
    return of_settings(side, images(24), "regnet.BlockParams", ([1, 2], [16, 32], [8, 8], [1.0, 1.0], [2, 2], 0.25), more=(4, 8))


@scenario(M + "mnasnet._InvertedResidual")
def a_block_of_a_searched_network(side: Side) -> Any:
    """With its shortcut, and with a stride."""
    return [in_training(side, images(9, channels=4), 4, 4, 3, 1, 3), in_training(side, images(9, channels=4), 4, 6, 5, 2, 2, 0.3)]


@scenario(M + "mnasnet._stack")
def blocks_in_a_row(side: Side) -> Any:
    """Three of them."""
    return in_training(side, images(9, channels=4), 4, 6, 3, 2, 3, 3, 0.1)


@scenario(M + "MNASNet")
def a_searched_network(side: Side) -> Any:
    """The narrowest."""
    return same(side, 32, 0.1, 7, 0.5)


@scenario(M + "_utils._make_divisible", M + "mnasnet._round_to_multiple_of", M + "mnasnet._get_depths")
def rounded_channels(side: Side) -> Any:
    """Near, above and below multiples."""
    values = [0.3, 3, 4, 11.9, 12, 83, 84, 100.5, 1280]
    if side.name.endswith("_get_depths"):
        return [side.call(value / 40) for value in values]
    return [side.call(value, divisor) for value in values for divisor in (1, 8, 24)] + [side.call(3, 8, 0.5), side.call(30, 8, 0.95)]
