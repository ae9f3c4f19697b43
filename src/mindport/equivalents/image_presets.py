"""What torchvision does to an image before one of its pretrained models sees it.

https://docs.pytorch.org/vision/0.28/models.html#using-the-pre-trained-models
"""

import mindspore as ms
from mindspore import Tensor

from mindport.declare import layer
from mindport.equivalents.image_functional import (
    InterpolationMode,
    center_crop,
    convert_image_dtype,
    normalize,
    pil_to_tensor,
    resize,
)


def normalised(img, mean, std):
    """A PIL image or a tensor (3, H, W) as a float32 tensor, less the mean, over the spread."""
    img = img if isinstance(img, Tensor) else pil_to_tensor(img)
    return normalize(convert_image_dtype(img, ms.float32), mean, std)


@layer("torchvision.transforms._presets.ImageClassification")
class ImageClassification:
    """A PIL image as a normalised float32 tensor (3, crop_size, crop_size): its shorter side becomes `resize_size`, the middle is kept."""

    def __init__(
        self, *, crop_size, resize_size=256, mean=(0.485, 0.456, 0.406), std=(0.229, 0.224, 0.225),
        interpolation=InterpolationMode.BILINEAR, antialias=True,
    ):
        self.crop_size = [crop_size]
        self.resize_size = [resize_size]
        self.mean = list(mean)
        self.std = list(std)
        self.interpolation = interpolation
        self.antialias = antialias

    def __call__(self, img):
        return normalised(center_crop(resize(img, self.resize_size, self.interpolation, None, self.antialias), self.crop_size), self.mean, self.std)


@layer("torchvision.transforms._presets.SemanticSegmentation")
class SemanticSegmentation:
    """A PIL image as a normalised float32 tensor (3, H, W): its shorter side becomes `resize_size`, unless that is None."""

    def __init__(
        self, *, resize_size, mean=(0.485, 0.456, 0.406), std=(0.229, 0.224, 0.225),
        interpolation=InterpolationMode.BILINEAR, antialias=True,
    ):
        self.resize_size = None if resize_size is None else [resize_size]
        self.mean = list(mean)
        self.std = list(std)
        self.interpolation = interpolation
        self.antialias = antialias

    def __call__(self, img):
        return normalised(img if self.resize_size is None else resize(img, self.resize_size, self.interpolation, None, self.antialias), self.mean, self.std)
