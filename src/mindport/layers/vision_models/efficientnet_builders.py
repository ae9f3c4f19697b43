"""Builders of EfficientNets and the weights that PyTorch publishes for them.

https://docs.pytorch.org/vision/0.28/models/efficientnet.html; the networks: `efficientnet.py`.
"""

from functools import partial

from mindport.declare import equivalent, layer
from mindport.equivalents.image_functional import InterpolationMode
from mindport.layers.normalization import BatchNorm2d
from mindport.layers.vision_models.efficientnet import EfficientNet, FusedMBConvConfig, MBConvConfig
from mindport.layers.vision_models.pretrained import (
    SHOWN,
    WeightsEnum,
    chosen,
    for_weights,
    trained_on,
    with_weights,
)

#: Of version 1: how much wider a block is inside, its kernel, the first stride, channels before and after, blocks.
STAGES = ((1, 3, 1, 32, 16, 1), (6, 3, 2, 16, 24, 2), (6, 5, 2, 24, 40, 2), (6, 3, 2, 40, 80, 3), (6, 5, 1, 80, 112, 3), (6, 5, 2, 112, 192, 4), (6, 3, 1, 192, 320, 1))
#: The same of version 2. The first three stages are fused.
SMALL = ((1, 3, 1, 24, 24, 2), (4, 3, 2, 24, 48, 4), (4, 3, 2, 48, 64, 4), (4, 3, 2, 64, 128, 6), (6, 3, 1, 128, 160, 9), (6, 3, 2, 160, 256, 15))
MEDIUM = ((1, 3, 1, 24, 24, 3), (4, 3, 2, 24, 48, 5), (4, 3, 2, 48, 80, 5), (4, 3, 2, 80, 160, 7), (6, 3, 1, 160, 176, 14), (6, 3, 2, 176, 304, 18), (6, 3, 1, 304, 512, 5))
LARGE = ((1, 3, 1, 32, 32, 4), (4, 3, 2, 32, 64, 7), (4, 3, 2, 64, 96, 7), (4, 3, 2, 96, 192, 10), (6, 3, 1, 192, 224, 19), (6, 3, 2, 224, 384, 25), (6, 3, 1, 384, 640, 7))
#: The normalisation of the largest networks of version 1.
CALM = {"norm_layer": partial(BatchNorm2d, eps=0.001, momentum=0.01)}


def network(settings, dropout, kinds, weights, options, **fixed):
    """An EfficientNet with the weights that a builder is asked for."""
    picked = chosen(kinds, weights, options)
    dropout = options.pop("dropout", dropout)
    return with_weights(EfficientNet(settings, dropout, **fixed, **for_weights(picked, options)), picked)


def first_version(width, depth, dropout, kinds, weights, options, **fixed):
    """A network of version 1: its channels and blocks are those of the smallest, times a factor each."""
    settings = [MBConvConfig(*stage, width_mult=width, depth_mult=depth) for stage in STAGES]
    return network(settings, dropout, kinds, weights, options, last_channel=None, **fixed)


def second_version(table, dropout, kinds, weights, options):
    """A network of version 2."""
    settings = [FusedMBConvConfig(*stage) for stage in table[:3]] + [MBConvConfig(*stage) for stage in table[3:]]
    return network(settings, dropout, kinds, weights, options, last_channel=1280, norm_layer=partial(BatchNorm2d, eps=0.001))


@layer("torchvision.models.EfficientNet_B0_Weights", "torchvision.models.efficientnet.EfficientNet_B0_Weights")
class EfficientNet_B0_Weights(WeightsEnum):
    """Weights of efficientnet_b0."""

    IMAGENET1K_V1 = trained_on("efficientnet_b0_rwightman-7f5810bc.pth", interpolation=InterpolationMode.BICUBIC)
    DEFAULT = IMAGENET1K_V1


@equivalent("torchvision.models.efficientnet_b0", "torchvision.models.efficientnet.efficientnet_b0", drops=SHOWN)
def efficientnet_b0(weights=None, progress=True, **options):
    """EfficientNet B0."""
    return first_version(1.0, 1.0, 0.2, EfficientNet_B0_Weights, weights, options)


@layer("torchvision.models.EfficientNet_B1_Weights", "torchvision.models.efficientnet.EfficientNet_B1_Weights")
class EfficientNet_B1_Weights(WeightsEnum):
    """Weights of efficientnet_b1."""

    IMAGENET1K_V1 = trained_on("efficientnet_b1_rwightman-bac287d4.pth", crop_size=240, interpolation=InterpolationMode.BICUBIC)
    IMAGENET1K_V2 = trained_on("efficientnet_b1-c27df63c.pth", crop_size=240, resize_size=255)
    DEFAULT = IMAGENET1K_V2


@equivalent("torchvision.models.efficientnet_b1", "torchvision.models.efficientnet.efficientnet_b1", drops=SHOWN)
def efficientnet_b1(weights=None, progress=True, **options):
    """EfficientNet B1."""
    return first_version(1.0, 1.1, 0.2, EfficientNet_B1_Weights, weights, options)


@layer("torchvision.models.EfficientNet_B2_Weights", "torchvision.models.efficientnet.EfficientNet_B2_Weights")
class EfficientNet_B2_Weights(WeightsEnum):
    """Weights of efficientnet_b2."""

    IMAGENET1K_V1 = trained_on("efficientnet_b2_rwightman-c35c1473.pth", crop_size=288, resize_size=288, interpolation=InterpolationMode.BICUBIC)
    DEFAULT = IMAGENET1K_V1


@equivalent("torchvision.models.efficientnet_b2", "torchvision.models.efficientnet.efficientnet_b2", drops=SHOWN)
def efficientnet_b2(weights=None, progress=True, **options):
    """EfficientNet B2."""
    return first_version(1.1, 1.2, 0.3, EfficientNet_B2_Weights, weights, options)


@layer("torchvision.models.EfficientNet_B3_Weights", "torchvision.models.efficientnet.EfficientNet_B3_Weights")
class EfficientNet_B3_Weights(WeightsEnum):
    """Weights of efficientnet_b3."""

    IMAGENET1K_V1 = trained_on("efficientnet_b3_rwightman-b3899882.pth", crop_size=300, resize_size=320, interpolation=InterpolationMode.BICUBIC)
    DEFAULT = IMAGENET1K_V1


@equivalent("torchvision.models.efficientnet_b3", "torchvision.models.efficientnet.efficientnet_b3", drops=SHOWN)
def efficientnet_b3(weights=None, progress=True, **options):
    """EfficientNet B3."""
    return first_version(1.2, 1.4, 0.3, EfficientNet_B3_Weights, weights, options)


@layer("torchvision.models.EfficientNet_B4_Weights", "torchvision.models.efficientnet.EfficientNet_B4_Weights")
class EfficientNet_B4_Weights(WeightsEnum):
    """Weights of efficientnet_b4."""

    IMAGENET1K_V1 = trained_on("efficientnet_b4_rwightman-23ab8bcd.pth", crop_size=380, resize_size=384, interpolation=InterpolationMode.BICUBIC)
    DEFAULT = IMAGENET1K_V1


@equivalent("torchvision.models.efficientnet_b4", "torchvision.models.efficientnet.efficientnet_b4", drops=SHOWN)
def efficientnet_b4(weights=None, progress=True, **options):
    """EfficientNet B4."""
    return first_version(1.4, 1.8, 0.4, EfficientNet_B4_Weights, weights, options)


@layer("torchvision.models.EfficientNet_B5_Weights", "torchvision.models.efficientnet.EfficientNet_B5_Weights")
class EfficientNet_B5_Weights(WeightsEnum):
    """Weights of efficientnet_b5."""

    IMAGENET1K_V1 = trained_on("efficientnet_b5_lukemelas-1a07897c.pth", crop_size=456, resize_size=456, interpolation=InterpolationMode.BICUBIC)
    DEFAULT = IMAGENET1K_V1


@equivalent("torchvision.models.efficientnet_b5", "torchvision.models.efficientnet.efficientnet_b5", drops=SHOWN)
def efficientnet_b5(weights=None, progress=True, **options):
    """EfficientNet B5."""
    return first_version(1.6, 2.2, 0.4, EfficientNet_B5_Weights, weights, options, **CALM)


@layer("torchvision.models.EfficientNet_B6_Weights", "torchvision.models.efficientnet.EfficientNet_B6_Weights")
class EfficientNet_B6_Weights(WeightsEnum):
    """Weights of efficientnet_b6."""

    IMAGENET1K_V1 = trained_on("efficientnet_b6_lukemelas-24a108a5.pth", crop_size=528, resize_size=528, interpolation=InterpolationMode.BICUBIC)
    DEFAULT = IMAGENET1K_V1


@equivalent("torchvision.models.efficientnet_b6", "torchvision.models.efficientnet.efficientnet_b6", drops=SHOWN)
def efficientnet_b6(weights=None, progress=True, **options):
    """EfficientNet B6."""
    return first_version(1.8, 2.6, 0.5, EfficientNet_B6_Weights, weights, options, **CALM)


@layer("torchvision.models.EfficientNet_B7_Weights", "torchvision.models.efficientnet.EfficientNet_B7_Weights")
class EfficientNet_B7_Weights(WeightsEnum):
    """Weights of efficientnet_b7."""

    IMAGENET1K_V1 = trained_on("efficientnet_b7_lukemelas-c5b4e57e.pth", crop_size=600, resize_size=600, interpolation=InterpolationMode.BICUBIC)
    DEFAULT = IMAGENET1K_V1


@equivalent("torchvision.models.efficientnet_b7", "torchvision.models.efficientnet.efficientnet_b7", drops=SHOWN)
def efficientnet_b7(weights=None, progress=True, **options):
    """EfficientNet B7."""
    return first_version(2.0, 3.1, 0.5, EfficientNet_B7_Weights, weights, options, **CALM)


@layer("torchvision.models.EfficientNet_V2_S_Weights", "torchvision.models.efficientnet.EfficientNet_V2_S_Weights")
class EfficientNet_V2_S_Weights(WeightsEnum):
    """Weights of efficientnet_v2_s."""

    IMAGENET1K_V1 = trained_on("efficientnet_v2_s-dd5fe13b.pth", crop_size=384, resize_size=384)
    DEFAULT = IMAGENET1K_V1


@equivalent("torchvision.models.efficientnet_v2_s", "torchvision.models.efficientnet.efficientnet_v2_s", drops=SHOWN)
def efficientnet_v2_s(weights=None, progress=True, **options):
    """The small EfficientNet of version 2."""
    return second_version(SMALL, 0.2, EfficientNet_V2_S_Weights, weights, options)


@layer("torchvision.models.EfficientNet_V2_M_Weights", "torchvision.models.efficientnet.EfficientNet_V2_M_Weights")
class EfficientNet_V2_M_Weights(WeightsEnum):
    """Weights of efficientnet_v2_m."""

    IMAGENET1K_V1 = trained_on("efficientnet_v2_m-dc08266a.pth", crop_size=480, resize_size=480)
    DEFAULT = IMAGENET1K_V1


@equivalent("torchvision.models.efficientnet_v2_m", "torchvision.models.efficientnet.efficientnet_v2_m", drops=SHOWN)
def efficientnet_v2_m(weights=None, progress=True, **options):
    """The medium EfficientNet of version 2."""
    return second_version(MEDIUM, 0.3, EfficientNet_V2_M_Weights, weights, options)


@layer("torchvision.models.EfficientNet_V2_L_Weights", "torchvision.models.efficientnet.EfficientNet_V2_L_Weights")
class EfficientNet_V2_L_Weights(WeightsEnum):
    """Weights of efficientnet_v2_l."""

    IMAGENET1K_V1 = trained_on("efficientnet_v2_l-59c71312.pth", crop_size=480, resize_size=480, interpolation=InterpolationMode.BICUBIC, mean=(0.5, 0.5, 0.5), std=(0.5, 0.5, 0.5))
    DEFAULT = IMAGENET1K_V1


@equivalent("torchvision.models.efficientnet_v2_l", "torchvision.models.efficientnet.efficientnet_v2_l", drops=SHOWN)
def efficientnet_v2_l(weights=None, progress=True, **options):
    """The large EfficientNet of version 2."""
    return second_version(LARGE, 0.4, EfficientNet_V2_L_Weights, weights, options)
