"""Builders of RegNets and the weights that PyTorch publishes for them.

https://docs.pytorch.org/vision/0.28/models/regnet.html; the networks: `regnet.py`.
"""

from functools import partial

from mindport.declare import equivalent, layer
from mindport.equivalents.image_functional import InterpolationMode
from mindport.layers.normalization import BatchNorm2d
from mindport.layers.vision_models.pretrained import (
    SHOWN,
    WeightsEnum,
    chosen,
    for_weights,
    trained_on,
    with_weights,
)
from mindport.layers.vision_models.regnet import BlockParams, RegNet

#: The same in every network that has it.
SQUEEZED = 0.25


def network(depth, w_0, w_a, w_m, group_width, se_ratio, kinds, weights, options):
    """A RegNet with the weights that a builder is asked for."""
    picked = chosen(kinds, weights, options)
    norm_layer = options.pop("norm_layer", partial(BatchNorm2d, eps=1e-05, momentum=0.1))
    params = BlockParams.from_init_params(depth, w_0, w_a, w_m, group_width, se_ratio=se_ratio)
    return with_weights(RegNet(params, norm_layer=norm_layer, **for_weights(picked, options)), picked)


@layer("torchvision.models.RegNet_Y_400MF_Weights", "torchvision.models.regnet.RegNet_Y_400MF_Weights")
class RegNet_Y_400MF_Weights(WeightsEnum):
    """Weights of regnet_y_400mf."""

    IMAGENET1K_V1 = trained_on("regnet_y_400mf-c65dace8.pth")
    IMAGENET1K_V2 = trained_on("regnet_y_400mf-e6988f5f.pth", resize_size=232)
    DEFAULT = IMAGENET1K_V2


@equivalent("torchvision.models.regnet_y_400mf", "torchvision.models.regnet.regnet_y_400mf", drops=SHOWN)
def regnet_y_400mf(weights=None, progress=True, **options):
    """A RegNetY of 400 million multiplications."""
    return network(16, 48, 27.89, 2.09, 8, SQUEEZED, RegNet_Y_400MF_Weights, weights, options)


@layer("torchvision.models.RegNet_Y_800MF_Weights", "torchvision.models.regnet.RegNet_Y_800MF_Weights")
class RegNet_Y_800MF_Weights(WeightsEnum):
    """Weights of regnet_y_800mf."""

    IMAGENET1K_V1 = trained_on("regnet_y_800mf-1b27b58c.pth")
    IMAGENET1K_V2 = trained_on("regnet_y_800mf-58fc7688.pth", resize_size=232)
    DEFAULT = IMAGENET1K_V2


@equivalent("torchvision.models.regnet_y_800mf", "torchvision.models.regnet.regnet_y_800mf", drops=SHOWN)
def regnet_y_800mf(weights=None, progress=True, **options):
    """A RegNetY of 800 million multiplications."""
    return network(14, 56, 38.84, 2.4, 16, SQUEEZED, RegNet_Y_800MF_Weights, weights, options)


@layer("torchvision.models.RegNet_Y_1_6GF_Weights", "torchvision.models.regnet.RegNet_Y_1_6GF_Weights")
class RegNet_Y_1_6GF_Weights(WeightsEnum):
    """Weights of regnet_y_1_6gf."""

    IMAGENET1K_V1 = trained_on("regnet_y_1_6gf-b11a554e.pth")
    IMAGENET1K_V2 = trained_on("regnet_y_1_6gf-0d7bc02a.pth", resize_size=232)
    DEFAULT = IMAGENET1K_V2


@equivalent("torchvision.models.regnet_y_1_6gf", "torchvision.models.regnet.regnet_y_1_6gf", drops=SHOWN)
def regnet_y_1_6gf(weights=None, progress=True, **options):
    """A RegNetY of 1.6 billion multiplications."""
    return network(27, 48, 20.71, 2.65, 24, SQUEEZED, RegNet_Y_1_6GF_Weights, weights, options)


@layer("torchvision.models.RegNet_Y_3_2GF_Weights", "torchvision.models.regnet.RegNet_Y_3_2GF_Weights")
class RegNet_Y_3_2GF_Weights(WeightsEnum):
    """Weights of regnet_y_3_2gf."""

    IMAGENET1K_V1 = trained_on("regnet_y_3_2gf-b5a9779c.pth")
    IMAGENET1K_V2 = trained_on("regnet_y_3_2gf-9180c971.pth", resize_size=232)
    DEFAULT = IMAGENET1K_V2


@equivalent("torchvision.models.regnet_y_3_2gf", "torchvision.models.regnet.regnet_y_3_2gf", drops=SHOWN)
def regnet_y_3_2gf(weights=None, progress=True, **options):
    """A RegNetY of 3.2 billion multiplications."""
    return network(21, 80, 42.63, 2.66, 24, SQUEEZED, RegNet_Y_3_2GF_Weights, weights, options)


@layer("torchvision.models.RegNet_Y_8GF_Weights", "torchvision.models.regnet.RegNet_Y_8GF_Weights")
class RegNet_Y_8GF_Weights(WeightsEnum):
    """Weights of regnet_y_8gf."""

    IMAGENET1K_V1 = trained_on("regnet_y_8gf-d0d0e4a8.pth")
    IMAGENET1K_V2 = trained_on("regnet_y_8gf-dc2b1b54.pth", resize_size=232)
    DEFAULT = IMAGENET1K_V2


@equivalent("torchvision.models.regnet_y_8gf", "torchvision.models.regnet.regnet_y_8gf", drops=SHOWN)
def regnet_y_8gf(weights=None, progress=True, **options):
    """A RegNetY of 8 billion multiplications."""
    return network(17, 192, 76.82, 2.19, 56, SQUEEZED, RegNet_Y_8GF_Weights, weights, options)


@layer("torchvision.models.RegNet_Y_16GF_Weights", "torchvision.models.regnet.RegNet_Y_16GF_Weights")
class RegNet_Y_16GF_Weights(WeightsEnum):
    """Weights of regnet_y_16gf."""

    IMAGENET1K_V1 = trained_on("regnet_y_16gf-9e6ed7dd.pth")
    IMAGENET1K_V2 = trained_on("regnet_y_16gf-3e4a00f9.pth", resize_size=232)
    IMAGENET1K_SWAG_E2E_V1 = trained_on("regnet_y_16gf_swag-43afe44d.pth", crop_size=384, resize_size=384, interpolation=InterpolationMode.BICUBIC)
    IMAGENET1K_SWAG_LINEAR_V1 = trained_on("regnet_y_16gf_lc_swag-f3ec0043.pth", resize_size=224, interpolation=InterpolationMode.BICUBIC)
    DEFAULT = IMAGENET1K_V2


@equivalent("torchvision.models.regnet_y_16gf", "torchvision.models.regnet.regnet_y_16gf", drops=SHOWN)
def regnet_y_16gf(weights=None, progress=True, **options):
    """A RegNetY of 16 billion multiplications."""
    return network(18, 200, 106.23, 2.48, 112, SQUEEZED, RegNet_Y_16GF_Weights, weights, options)


@layer("torchvision.models.RegNet_Y_32GF_Weights", "torchvision.models.regnet.RegNet_Y_32GF_Weights")
class RegNet_Y_32GF_Weights(WeightsEnum):
    """Weights of regnet_y_32gf."""

    IMAGENET1K_V1 = trained_on("regnet_y_32gf-4dee3f7a.pth")
    IMAGENET1K_V2 = trained_on("regnet_y_32gf-8db6d4b5.pth", resize_size=232)
    IMAGENET1K_SWAG_E2E_V1 = trained_on("regnet_y_32gf_swag-04fdfa75.pth", crop_size=384, resize_size=384, interpolation=InterpolationMode.BICUBIC)
    IMAGENET1K_SWAG_LINEAR_V1 = trained_on("regnet_y_32gf_lc_swag-e1583746.pth", resize_size=224, interpolation=InterpolationMode.BICUBIC)
    DEFAULT = IMAGENET1K_V2


@equivalent("torchvision.models.regnet_y_32gf", "torchvision.models.regnet.regnet_y_32gf", drops=SHOWN)
def regnet_y_32gf(weights=None, progress=True, **options):
    """A RegNetY of 32 billion multiplications."""
    return network(20, 232, 115.89, 2.53, 232, SQUEEZED, RegNet_Y_32GF_Weights, weights, options)


@layer("torchvision.models.RegNet_Y_128GF_Weights", "torchvision.models.regnet.RegNet_Y_128GF_Weights")
class RegNet_Y_128GF_Weights(WeightsEnum):
    """Weights of regnet_y_128gf."""

    IMAGENET1K_SWAG_E2E_V1 = trained_on("regnet_y_128gf_swag-c8ce3e52.pth", crop_size=384, resize_size=384, interpolation=InterpolationMode.BICUBIC)
    IMAGENET1K_SWAG_LINEAR_V1 = trained_on("regnet_y_128gf_lc_swag-cbe8ce12.pth", resize_size=224, interpolation=InterpolationMode.BICUBIC)
    DEFAULT = IMAGENET1K_SWAG_E2E_V1


@equivalent("torchvision.models.regnet_y_128gf", "torchvision.models.regnet.regnet_y_128gf", drops=SHOWN)
def regnet_y_128gf(weights=None, progress=True, **options):
    """A RegNetY of 128 billion multiplications."""
    return network(27, 456, 160.83, 2.52, 264, SQUEEZED, RegNet_Y_128GF_Weights, weights, options)


@layer("torchvision.models.RegNet_X_400MF_Weights", "torchvision.models.regnet.RegNet_X_400MF_Weights")
class RegNet_X_400MF_Weights(WeightsEnum):
    """Weights of regnet_x_400mf."""

    IMAGENET1K_V1 = trained_on("regnet_x_400mf-adf1edd5.pth")
    IMAGENET1K_V2 = trained_on("regnet_x_400mf-62229a5f.pth", resize_size=232)
    DEFAULT = IMAGENET1K_V2


@equivalent("torchvision.models.regnet_x_400mf", "torchvision.models.regnet.regnet_x_400mf", drops=SHOWN)
def regnet_x_400mf(weights=None, progress=True, **options):
    """A RegNetX of 400 million multiplications."""
    return network(22, 24, 24.48, 2.54, 16, None, RegNet_X_400MF_Weights, weights, options)


@layer("torchvision.models.RegNet_X_800MF_Weights", "torchvision.models.regnet.RegNet_X_800MF_Weights")
class RegNet_X_800MF_Weights(WeightsEnum):
    """Weights of regnet_x_800mf."""

    IMAGENET1K_V1 = trained_on("regnet_x_800mf-ad17e45c.pth")
    IMAGENET1K_V2 = trained_on("regnet_x_800mf-94a99ebd.pth", resize_size=232)
    DEFAULT = IMAGENET1K_V2


@equivalent("torchvision.models.regnet_x_800mf", "torchvision.models.regnet.regnet_x_800mf", drops=SHOWN)
def regnet_x_800mf(weights=None, progress=True, **options):
    """A RegNetX of 800 million multiplications."""
    return network(16, 56, 35.73, 2.28, 16, None, RegNet_X_800MF_Weights, weights, options)


@layer("torchvision.models.RegNet_X_1_6GF_Weights", "torchvision.models.regnet.RegNet_X_1_6GF_Weights")
class RegNet_X_1_6GF_Weights(WeightsEnum):
    """Weights of regnet_x_1_6gf."""

    IMAGENET1K_V1 = trained_on("regnet_x_1_6gf-e3633e7f.pth")
    IMAGENET1K_V2 = trained_on("regnet_x_1_6gf-a12f2b72.pth", resize_size=232)
    DEFAULT = IMAGENET1K_V2


@equivalent("torchvision.models.regnet_x_1_6gf", "torchvision.models.regnet.regnet_x_1_6gf", drops=SHOWN)
def regnet_x_1_6gf(weights=None, progress=True, **options):
    """A RegNetX of 1.6 billion multiplications."""
    return network(18, 80, 34.01, 2.25, 24, None, RegNet_X_1_6GF_Weights, weights, options)


@layer("torchvision.models.RegNet_X_3_2GF_Weights", "torchvision.models.regnet.RegNet_X_3_2GF_Weights")
class RegNet_X_3_2GF_Weights(WeightsEnum):
    """Weights of regnet_x_3_2gf."""

    IMAGENET1K_V1 = trained_on("regnet_x_3_2gf-f342aeae.pth")
    IMAGENET1K_V2 = trained_on("regnet_x_3_2gf-7071aa85.pth", resize_size=232)
    DEFAULT = IMAGENET1K_V2


@equivalent("torchvision.models.regnet_x_3_2gf", "torchvision.models.regnet.regnet_x_3_2gf", drops=SHOWN)
def regnet_x_3_2gf(weights=None, progress=True, **options):
    """A RegNetX of 3.2 billion multiplications."""
    return network(25, 88, 26.31, 2.25, 48, None, RegNet_X_3_2GF_Weights, weights, options)


@layer("torchvision.models.RegNet_X_8GF_Weights", "torchvision.models.regnet.RegNet_X_8GF_Weights")
class RegNet_X_8GF_Weights(WeightsEnum):
    """Weights of regnet_x_8gf."""

    IMAGENET1K_V1 = trained_on("regnet_x_8gf-03ceed89.pth")
    IMAGENET1K_V2 = trained_on("regnet_x_8gf-2b70d774.pth", resize_size=232)
    DEFAULT = IMAGENET1K_V2


@equivalent("torchvision.models.regnet_x_8gf", "torchvision.models.regnet.regnet_x_8gf", drops=SHOWN)
def regnet_x_8gf(weights=None, progress=True, **options):
    """A RegNetX of 8 billion multiplications."""
    return network(23, 80, 49.56, 2.88, 120, None, RegNet_X_8GF_Weights, weights, options)


@layer("torchvision.models.RegNet_X_16GF_Weights", "torchvision.models.regnet.RegNet_X_16GF_Weights")
class RegNet_X_16GF_Weights(WeightsEnum):
    """Weights of regnet_x_16gf."""

    IMAGENET1K_V1 = trained_on("regnet_x_16gf-2007eb11.pth")
    IMAGENET1K_V2 = trained_on("regnet_x_16gf-ba3796d7.pth", resize_size=232)
    DEFAULT = IMAGENET1K_V2


@equivalent("torchvision.models.regnet_x_16gf", "torchvision.models.regnet.regnet_x_16gf", drops=SHOWN)
def regnet_x_16gf(weights=None, progress=True, **options):
    """A RegNetX of 16 billion multiplications."""
    return network(22, 216, 55.59, 2.1, 128, None, RegNet_X_16GF_Weights, weights, options)


@layer("torchvision.models.RegNet_X_32GF_Weights", "torchvision.models.regnet.RegNet_X_32GF_Weights")
class RegNet_X_32GF_Weights(WeightsEnum):
    """Weights of regnet_x_32gf."""

    IMAGENET1K_V1 = trained_on("regnet_x_32gf-9d47f8d0.pth")
    IMAGENET1K_V2 = trained_on("regnet_x_32gf-6eb8fdc6.pth", resize_size=232)
    DEFAULT = IMAGENET1K_V2


@equivalent("torchvision.models.regnet_x_32gf", "torchvision.models.regnet.regnet_x_32gf", drops=SHOWN)
def regnet_x_32gf(weights=None, progress=True, **options):
    """A RegNetX of 32 billion multiplications."""
    return network(23, 320, 69.86, 2.0, 168, None, RegNet_X_32GF_Weights, weights, options)
