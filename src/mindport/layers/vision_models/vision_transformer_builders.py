"""Builders of Vision Transformers and the weights that PyTorch publishes for them.

https://docs.pytorch.org/vision/0.28/models/vision_transformer.html; the network: `vision_transformer.py`. Weights prescribe the size of images;
those of SWAG
(Singh et al. 2022, https://arxiv.org/abs/2201.08371) have a licence of their own.
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
from mindport.layers.vision_models.vision_transformer import VisionTransformer


def of_swag(name, size, of_images):
    """Weights that were trained on images of a size, resized by cubic functions."""
    return trained_on(name, crop_size=of_images, resize_size=size, interpolation=InterpolationMode.BICUBIC)


def transformer(patch_size, num_layers, num_heads, hidden_dim, mlp_dim, kinds, weights, options, first="IMAGENET1K_V1"):
    """A Vision Transformer with the weights that a builder is asked for."""
    picked = chosen(kinds, weights, options, first)
    if picked is not None:
        options = for_weights(picked, options, image_size=picked.transforms.keywords["crop_size"])
    model = VisionTransformer(
        patch_size=patch_size, num_layers=num_layers, num_heads=num_heads, hidden_dim=hidden_dim, mlp_dim=mlp_dim,
        **{"image_size": 224, **options},
    )
    return with_weights(model, picked)


@layer("torchvision.models.ViT_B_16_Weights", "torchvision.models.vision_transformer.ViT_B_16_Weights")
class ViT_B_16_Weights(WeightsEnum):
    """Weights of vit_b_16."""

    IMAGENET1K_V1 = trained_on("vit_b_16-c867db91.pth")
    IMAGENET1K_SWAG_E2E_V1 = of_swag("vit_b_16_swag-9ac1b537.pth", 384, 384)
    IMAGENET1K_SWAG_LINEAR_V1 = of_swag("vit_b_16_lc_swag-4e70ced5.pth", 224, 224)
    DEFAULT = IMAGENET1K_V1


@equivalent("torchvision.models.vit_b_16", "torchvision.models.vision_transformer.vit_b_16", drops=SHOWN)
def vit_b_16(weights=None, progress=True, **options):
    """12 layers over patches of 16x16."""
    return transformer(16, 12, 12, 768, 3072, ViT_B_16_Weights, weights, options)


@layer("torchvision.models.ViT_B_32_Weights", "torchvision.models.vision_transformer.ViT_B_32_Weights")
class ViT_B_32_Weights(WeightsEnum):
    """Weights of vit_b_32."""

    IMAGENET1K_V1 = trained_on("vit_b_32-d86f8d99.pth")
    DEFAULT = IMAGENET1K_V1


@equivalent("torchvision.models.vit_b_32", "torchvision.models.vision_transformer.vit_b_32", drops=SHOWN)
def vit_b_32(weights=None, progress=True, **options):
    """12 layers over patches of 32x32."""
    return transformer(32, 12, 12, 768, 3072, ViT_B_32_Weights, weights, options)


@layer("torchvision.models.ViT_L_16_Weights", "torchvision.models.vision_transformer.ViT_L_16_Weights")
class ViT_L_16_Weights(WeightsEnum):
    """Weights of vit_l_16."""

    IMAGENET1K_V1 = trained_on("vit_l_16-852ce7e3.pth", resize_size=242)
    IMAGENET1K_SWAG_E2E_V1 = of_swag("vit_l_16_swag-4f3808c9.pth", 512, 512)
    IMAGENET1K_SWAG_LINEAR_V1 = of_swag("vit_l_16_lc_swag-4d563306.pth", 224, 224)
    DEFAULT = IMAGENET1K_V1


@equivalent("torchvision.models.vit_l_16", "torchvision.models.vision_transformer.vit_l_16", drops=SHOWN)
def vit_l_16(weights=None, progress=True, **options):
    """24 layers over patches of 16x16."""
    return transformer(16, 24, 16, 1024, 4096, ViT_L_16_Weights, weights, options)


@layer("torchvision.models.ViT_L_32_Weights", "torchvision.models.vision_transformer.ViT_L_32_Weights")
class ViT_L_32_Weights(WeightsEnum):
    """Weights of vit_l_32."""

    IMAGENET1K_V1 = trained_on("vit_l_32-c7638314.pth")
    DEFAULT = IMAGENET1K_V1


@equivalent("torchvision.models.vit_l_32", "torchvision.models.vision_transformer.vit_l_32", drops=SHOWN)
def vit_l_32(weights=None, progress=True, **options):
    """24 layers over patches of 32x32."""
    return transformer(32, 24, 16, 1024, 4096, ViT_L_32_Weights, weights, options)


@layer("torchvision.models.ViT_H_14_Weights", "torchvision.models.vision_transformer.ViT_H_14_Weights")
class ViT_H_14_Weights(WeightsEnum):
    """Weights of vit_h_14."""

    IMAGENET1K_SWAG_E2E_V1 = of_swag("vit_h_14_swag-80465313.pth", 518, 518)
    IMAGENET1K_SWAG_LINEAR_V1 = of_swag("vit_h_14_lc_swag-c1eb923e.pth", 224, 224)
    DEFAULT = IMAGENET1K_SWAG_E2E_V1


@equivalent("torchvision.models.vit_h_14", "torchvision.models.vision_transformer.vit_h_14", drops=SHOWN)
def vit_h_14(weights=None, progress=True, **options):
    """32 layers over patches of 14x14; the older form `pretrained=True` has no weights."""
    return transformer(14, 32, 16, 1280, 5120, ViT_H_14_Weights, weights, options, None)
