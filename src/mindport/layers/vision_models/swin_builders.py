"""Builders of Swin Transformers and the weights that PyTorch publishes for them.

https://docs.pytorch.org/vision/0.28/models/swin_transformer.html; the networks: `swin_transformer.py`.
"""

from mindport.declare import equivalent, layer
from mindport.equivalents.image_functional import InterpolationMode
from mindport.layers.vision_models.pretrained import (
    SHOWN,
    WeightsEnum,
    chosen,
    for_weights,
    trained_on,
    with_weights,
)
from mindport.layers.vision_models.swin_transformer import (
    PatchMergingV2,
    SwinTransformer,
    SwinTransformerBlockV2,
)

SECOND = {"block": SwinTransformerBlockV2, "downsample_layer": PatchMergingV2}


def of_windows(name, size, of_images):
    """Weights that were trained on images of a size, resized by cubic functions."""
    return trained_on(name, crop_size=of_images, resize_size=size, interpolation=InterpolationMode.BICUBIC)


def windowed(embed_dim, depths, num_heads, window, depth, kinds, weights, options, **second):
    """A Swin Transformer with the weights that a builder is asked for; `depth` is how likely the last block is passed by."""
    picked = chosen(kinds, weights, options)
    model = SwinTransformer(
        patch_size=[4, 4], embed_dim=embed_dim, depths=depths, num_heads=num_heads, window_size=[window, window],
        stochastic_depth_prob=depth, **for_weights(picked, options), **second,
    )
    return with_weights(model, picked)


@layer("torchvision.models.Swin_T_Weights", "torchvision.models.swin_transformer.Swin_T_Weights")
class Swin_T_Weights(WeightsEnum):
    """Weights of swin_t."""

    IMAGENET1K_V1 = of_windows("swin_t-704ceda3.pth", 232, 224)
    DEFAULT = IMAGENET1K_V1


@equivalent("torchvision.models.swin_t", "torchvision.models.swin_transformer.swin_t", drops=SHOWN)
def swin_t(weights=None, progress=True, **options):
    """A Swin Transformer of 12 blocks."""
    return windowed(96, [2, 2, 6, 2], [3, 6, 12, 24], 7, 0.2, Swin_T_Weights, weights, options)


@layer("torchvision.models.Swin_S_Weights", "torchvision.models.swin_transformer.Swin_S_Weights")
class Swin_S_Weights(WeightsEnum):
    """Weights of swin_s."""

    IMAGENET1K_V1 = of_windows("swin_s-5e29d889.pth", 246, 224)
    DEFAULT = IMAGENET1K_V1


@equivalent("torchvision.models.swin_s", "torchvision.models.swin_transformer.swin_s", drops=SHOWN)
def swin_s(weights=None, progress=True, **options):
    """A Swin Transformer of 24 blocks."""
    return windowed(96, [2, 2, 18, 2], [3, 6, 12, 24], 7, 0.3, Swin_S_Weights, weights, options)


@layer("torchvision.models.Swin_B_Weights", "torchvision.models.swin_transformer.Swin_B_Weights")
class Swin_B_Weights(WeightsEnum):
    """Weights of swin_b."""

    IMAGENET1K_V1 = of_windows("swin_b-68c6b09e.pth", 238, 224)
    DEFAULT = IMAGENET1K_V1


@equivalent("torchvision.models.swin_b", "torchvision.models.swin_transformer.swin_b", drops=SHOWN)
def swin_b(weights=None, progress=True, **options):
    """A Swin Transformer of 24 blocks, wider."""
    return windowed(128, [2, 2, 18, 2], [4, 8, 16, 32], 7, 0.5, Swin_B_Weights, weights, options)


@layer("torchvision.models.Swin_V2_T_Weights", "torchvision.models.swin_transformer.Swin_V2_T_Weights")
class Swin_V2_T_Weights(WeightsEnum):
    """Weights of swin_v2_t."""

    IMAGENET1K_V1 = of_windows("swin_v2_t-b137f0e2.pth", 260, 256)
    DEFAULT = IMAGENET1K_V1


@equivalent("torchvision.models.swin_v2_t", "torchvision.models.swin_transformer.swin_v2_t", drops=SHOWN)
def swin_v2_t(weights=None, progress=True, **options):
    """A Swin Transformer of the second version with 12 blocks."""
    return windowed(96, [2, 2, 6, 2], [3, 6, 12, 24], 8, 0.2, Swin_V2_T_Weights, weights, options, **SECOND)


@layer("torchvision.models.Swin_V2_S_Weights", "torchvision.models.swin_transformer.Swin_V2_S_Weights")
class Swin_V2_S_Weights(WeightsEnum):
    """Weights of swin_v2_s."""

    IMAGENET1K_V1 = of_windows("swin_v2_s-637d8ceb.pth", 260, 256)
    DEFAULT = IMAGENET1K_V1


@equivalent("torchvision.models.swin_v2_s", "torchvision.models.swin_transformer.swin_v2_s", drops=SHOWN)
def swin_v2_s(weights=None, progress=True, **options):
    """A Swin Transformer of the second version with 24 blocks."""
    return windowed(96, [2, 2, 18, 2], [3, 6, 12, 24], 8, 0.3, Swin_V2_S_Weights, weights, options, **SECOND)


@layer("torchvision.models.Swin_V2_B_Weights", "torchvision.models.swin_transformer.Swin_V2_B_Weights")
class Swin_V2_B_Weights(WeightsEnum):
    """Weights of swin_v2_b."""

    IMAGENET1K_V1 = of_windows("swin_v2_b-781e5279.pth", 272, 256)
    DEFAULT = IMAGENET1K_V1


@equivalent("torchvision.models.swin_v2_b", "torchvision.models.swin_transformer.swin_v2_b", drops=SHOWN)
def swin_v2_b(weights=None, progress=True, **options):
    """A Swin Transformer of the second version with 24 blocks, wider."""
    return windowed(128, [2, 2, 18, 2], [4, 8, 16, 32], 8, 0.5, Swin_V2_B_Weights, weights, options, **SECOND)
