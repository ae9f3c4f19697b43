"""torchvision's random transforms: the same numbers as torchvision's for the same seed, in the same order.

https://docs.pytorch.org/vision/0.28/transforms.html. What torchvision draws with torch's default generator comes from
`generators.default_generator`, what it draws with `random` from `random`.
"""

import math
import random

import mindspore as ms
import numpy as np
from mindspore import Tensor

from mindport.declare import difference, layer
from mindport.equivalents.generators import default_generator
from mindport.equivalents.image_functional import (
    InterpolationMode,
    adjust_brightness,
    adjust_contrast,
    adjust_hue,
    adjust_saturation,
    channels_of,
    crop,
    erase,
    height_and_width,
    hflip,
    pad,
    pair,
    resized_crop,
    rgb_to_grayscale,
    rotate,
    sides,
    vflip,
)
from mindport.equivalents.image_transforms import NEW


def by_chance(p):
    """True with probability p."""
    return default_generator.uniform() < p


def area_and_ratio(area, scale, ratio):
    """A part of an area and an aspect ratio, both drawn: what a random rectangle is made of."""
    part = area * default_generator.between(scale[0], scale[1])
    low, high = np.log(np.asarray(ratio, dtype=np.float32))
    return part, float(np.exp(np.float32(default_generator.between(low, high))))


def place(free):
    """A number from 0 to `free`."""
    return default_generator.integers(0, free + 1, 1)[0]


@layer("torchvision.transforms.RandomHorizontalFlip", "torchvision.transforms.v2.RandomHorizontalFlip")
class RandomHorizontalFlip:
    """Left and right exchanged, with probability p."""

    def __init__(self, p=0.5):
        self.p = p

    def __call__(self, img):
        return hflip(img) if by_chance(self.p) else img


@layer("torchvision.transforms.RandomVerticalFlip", "torchvision.transforms.v2.RandomVerticalFlip")
class RandomVerticalFlip:
    """Top and bottom exchanged, with probability p."""

    def __init__(self, p=0.5):
        self.p = p

    def __call__(self, img):
        return vflip(img) if by_chance(self.p) else img


@layer("torchvision.transforms.RandomGrayscale", "torchvision.transforms.v2.RandomGrayscale")
class RandomGrayscale:
    """Luminance in all channels, with probability p."""

    def __init__(self, p=0.1):
        self.p = p

    def __call__(self, img):
        channels = img.shape[-3] if isinstance(img, Tensor) else channels_of(img)
        return rgb_to_grayscale(img, channels) if by_chance(self.p) else img


@layer("torchvision.transforms.RandomCrop")
class RandomCrop:
    """A rectangle of the given size anywhere in the image, which may be padded first."""

    def __init__(self, size, padding=None, pad_if_needed=False, fill=0, padding_mode="constant"):
        self.size = pair(size)
        self.padding = padding
        self.pad_if_needed = pad_if_needed
        self.fill = fill
        self.padding_mode = padding_mode

    @staticmethod
    def get_params(img, output_size):
        """(top, left, height, width) of one rectangle."""
        rows, columns = height_and_width(img)
        height, width = output_size
        if rows < height or columns < width:
            raise ValueError(f"Required crop size {(height, width)} is larger than input image size {(rows, columns)}")
        if (rows, columns) == (height, width):
            return 0, 0, rows, columns
        top = place(rows - height)
        return top, place(columns - width), height, width

    def padded(self, img):
        """The image with what is put around it."""
        if self.padding is not None:
            img = pad(img, self.padding, self.fill, self.padding_mode)
        rows, columns = height_and_width(img)
        if self.pad_if_needed and columns < self.size[1]:
            img = pad(img, [self.size[1] - columns, 0], self.fill, self.padding_mode)
        if self.pad_if_needed and rows < self.size[0]:
            img = pad(img, [0, self.size[0] - rows], self.fill, self.padding_mode)
        return img

    def __call__(self, img):
        img = self.padded(img)
        return crop(img, *self.get_params(img, self.size))


@layer("torchvision.transforms.v2.RandomCrop")
class RandomCropV2(RandomCrop):
    """A rectangle of the given size; draws nothing along a side that is as long as the rectangle."""

    def __init__(self, size, padding=None, pad_if_needed=False, fill=0, padding_mode="constant"):
        super().__init__(size, padding, pad_if_needed, fill, padding_mode)

    @staticmethod
    def get_params(img, output_size):
        rows, columns = height_and_width(img)
        height, width = output_size
        if rows < height or columns < width:
            raise ValueError(f"Required crop size {(height, width)} is larger than input image size {(rows, columns)}")
        top = place(rows - height) if rows > height else 0
        return top, place(columns - width) if columns > width else 0, height, width

    def padded(self, img):
        """The image with all that is put around it at once: what is missing is added to the padding, and mirrors the image itself."""
        left, top, right, bottom = sides(self.padding) if self.padding is not None else (0, 0, 0, 0)
        rows, columns = height_and_width(img)
        if self.pad_if_needed:
            more = max(self.size[0] - rows - top - bottom, 0), max(self.size[1] - columns - left - right, 0)
            left, top, right, bottom = left + more[1], top + more[0], right + more[1], bottom + more[0]
        return pad(img, [left, top, right, bottom], self.fill, self.padding_mode) if left or top or right or bottom else img


@layer("torchvision.transforms.RandomResizedCrop", "torchvision.transforms.v2.RandomResizedCrop")
class RandomResizedCrop:
    """A rectangle of random area and shape, brought to one size."""

    def __init__(self, size, scale=(0.08, 1.0), ratio=(3 / 4, 4 / 3), interpolation=InterpolationMode.BILINEAR, antialias=True):
        self.size = pair(size)
        self.scale = scale
        self.ratio = ratio
        self.interpolation = interpolation
        self.antialias = antialias

    @staticmethod
    def get_params(img, scale, ratio):
        """(top, left, height, width) of one rectangle."""
        rows, columns = height_and_width(img)
        for _ in range(10):
            part, shape = area_and_ratio(rows * columns, scale, ratio)
            width, height = int(round(math.sqrt(part * shape))), int(round(math.sqrt(part / shape)))
            if 0 < width <= columns and 0 < height <= rows:
                top = place(rows - height)
                return top, place(columns - width), height, width
        height, width = rows, columns
        if columns / rows < min(ratio):
            height = int(round(columns / min(ratio)))
        elif columns / rows > max(ratio):
            width = int(round(rows * max(ratio)))
        return (rows - height) // 2, (columns - width) // 2, height, width

    def __call__(self, img):
        return resized_crop(img, *self.get_params(img, self.scale, self.ratio), self.size, self.interpolation, self.antialias)


@layer("torchvision.transforms.ColorJitter", "torchvision.transforms.v2.ColorJitter")
class ColorJitter:
    """Brightness, contrast, saturation and hue changed by random amounts, in random order."""

    def __init__(self, brightness=0, contrast=0, saturation=0, hue=0):
        self.brightness = self.bounds(brightness, "brightness", 1.0, float("inf"))
        self.contrast = self.bounds(contrast, "contrast", 1.0, float("inf"))
        self.saturation = self.bounds(saturation, "saturation", 1.0, float("inf"))
        self.hue = self.bounds(hue, "hue", 0.0, 0.5)

    @staticmethod
    def bounds(value, name, center, limit):
        """(low, high) of a factor; None where it cannot change anything."""
        if isinstance(value, (int, float)):
            if value < 0:
                raise ValueError(f"If {name} is a single number, it must be non negative.")
            low, high = center - value, center + value
            low = max(low, 0.0) if center else low
        else:
            low, high = (float(one) for one in value)
        if not (0.0 if center else -limit) <= low <= high <= limit:
            raise ValueError(f"{name} values should be between {(0.0 if center else -limit, limit)}, but got {[low, high]}.")
        return None if low == high == center else (low, high)

    @staticmethod
    def drawn(bounds):
        """The order of the four changes, and a factor of each; None where its bounds are None."""
        order = default_generator.permutation(4)
        return order, [None if pair_ is None else default_generator.between(*pair_) for pair_ in bounds]

    @staticmethod
    def get_params(brightness, contrast, saturation, hue):
        """The order of the four changes as a tensor, and a factor of each; None where its bounds are None."""
        order, factors = ColorJitter.drawn((brightness, contrast, saturation, hue))
        return Tensor(order, ms.int64), *factors

    def __call__(self, img):
        order, factors = self.drawn((self.brightness, self.contrast, self.saturation, self.hue))
        changes = (adjust_brightness, adjust_contrast, adjust_saturation, adjust_hue)
        for which in order:
            if factors[which] is not None:
                img = changes[which](img, factors[which])
        return img


@layer("torchvision.transforms.RandomRotation", "torchvision.transforms.v2.RandomRotation")
class RandomRotation:
    """Turned by a random angle."""

    def __init__(self, degrees, interpolation=InterpolationMode.NEAREST, expand=False, center=None, fill=0):
        if isinstance(degrees, (int, float)):
            if degrees < 0:
                raise ValueError("If degrees is a single number, it must be positive.")
            degrees = (-degrees, degrees)
        self.degrees = [float(degree) for degree in degrees]
        self.interpolation = interpolation
        self.expand = expand
        self.center = center
        self.fill = fill

    @staticmethod
    def get_params(degrees):
        """One angle."""
        return default_generator.between(degrees[0], degrees[1])

    def __call__(self, img):
        return rotate(img, self.get_params(self.degrees), self.interpolation, self.expand, self.center, self.fill)


@layer(
    "torchvision.transforms.RandomErasing", "torchvision.transforms.v2.RandomErasing",
    differs=[*NEW, difference("random pixels have torch's distribution, not its numbers", when="isinstance(value, str)", zh="随机像素与 torch 分布相同但数值不同")],
)
class RandomErasing:
    """A random rectangle of a tensor image overwritten, with probability p."""

    def __init__(self, p=0.5, scale=(0.02, 0.33), ratio=(0.3, 3.3), value=0, inplace=False):
        if isinstance(value, str) and value != "random":
            raise ValueError("If value is str, it should be 'random'")
        self.p = p
        self.scale = scale
        self.ratio = ratio
        self.value = value
        self.inplace = inplace

    def __call__(self, img):
        if not by_chance(self.p):
            return img
        channels, rows, columns = img.shape[-3:]
        for _ in range(10):
            part, shape = area_and_ratio(rows * columns, self.scale, self.ratio)
            height, width = int(round(math.sqrt(part * shape))), int(round(math.sqrt(part / shape)))
            if height < rows and width < columns:
                if isinstance(self.value, str):
                    pixels = np.random.RandomState(default_generator.integer()).normal(size=(channels, height, width))
                else:
                    pixels = np.asarray(self.value, dtype=np.float32).reshape(-1, 1, 1)
                top = place(rows - height)
                return erase(img, top, place(columns - width), height, width, pixels)
        return img


@layer("torchvision.transforms.RandomApply", "torchvision.transforms.v2.RandomApply")
class RandomApply:
    """Transforms one after the other, or none of them: with probability p."""

    def __init__(self, transforms, p=0.5):
        self.transforms = transforms
        self.p = p

    def __call__(self, img):
        if self.p < default_generator.uniform():
            return img
        for transform in self.transforms:
            img = transform(img)
        return img


@layer("torchvision.transforms.RandomChoice")
class RandomChoice:
    """One of several transforms, drawn in proportion to p."""

    def __init__(self, transforms, p=None):
        self.transforms = transforms
        self.p = p

    def __call__(self, img):
        return random.choices(self.transforms, weights=self.p)[0](img)


@layer("torchvision.transforms.RandomOrder")
class RandomOrder:
    """All of several transforms, in random order."""

    def __init__(self, transforms):
        self.transforms = transforms

    def __call__(self, img):
        order = list(range(len(self.transforms)))
        random.shuffle(order)
        for which in order:
            img = self.transforms[which](img)
        return img
