"""What torchvision does to a video before one of its pretrained models sees it.

https://docs.pytorch.org/vision/0.28/models.html#video-classification
"""

import mindspore as ms
from mindspore import ops

from mindport.declare import Refused, difference, layer
from mindport.equivalents.image_functional import (
    InterpolationMode,
    center_crop,
    convert_image_dtype,
    normalize,
)
from mindport.equivalents.resampling import interpolate

HALVES = difference(
    "a resized byte that is halfway between two levels may become the other one", when="inputs and not inputs[0].is_floating_point()",
    risk="style", zh="缩放后恰在两级之间的字节可能取另一级",
)


@layer("torchvision.transforms._presets.VideoClassification", differs=[HALVES])
class VideoClassification:
    """Videos ([N,] T, 3, H, W) of uint8 or float32 as normalised float32 tensors ([N,] 3, T, *crop_size): frames get `resize_size`, the middle is kept."""

    def __init__(
        self, *, crop_size, resize_size, mean=(0.43216, 0.394666, 0.37645), std=(0.22803, 0.22145, 0.216989),
        interpolation=InterpolationMode.BILINEAR,
    ):
        if len(resize_size) != 2 or interpolation != InterpolationMode.BILINEAR:
            raise Refused("one number for both sides, or another way than bilinear: resize the frames beforehand")
        self.crop_size = list(crop_size)
        self.resize_size = list(resize_size)
        self.mean = list(mean)
        self.std = list(std)
        self.interpolation = interpolation

    def __call__(self, vid):
        alone = vid.ndim < 5
        vid = ops.expand_dims(vid, 0) if alone else vid
        count, frames, channels, height, width = vid.shape
        pixels = ops.reshape(vid, (-1, channels, height, width))
        if [height, width] != self.resize_size:
            resized = interpolate(pixels.astype(ms.float32), self.resize_size, mode="bilinear", align_corners=False)
            pixels = resized if vid.is_floating_point() else ops.round(resized).astype(vid.dtype)
        pixels = convert_image_dtype(center_crop(pixels, self.crop_size), ms.float32)
        pixels = ops.reshape(normalize(pixels, self.mean, self.std), (count, frames, channels, *self.crop_size))
        pixels = ops.permute(pixels, (0, 2, 1, 3, 4))
        return pixels[0] if alone else pixels
