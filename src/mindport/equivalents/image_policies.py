"""RandAugment and TrivialAugment of PIL images: operations and strengths drawn anew for each image, as torchvision draws them.

https://docs.pytorch.org/vision/0.28/transforms.html#auto-augmentation
"""

import math

import numpy as np

from mindport.declare import layer
from mindport.equivalents.generators import default_generator
from mindport.equivalents.image_functional import (
    InterpolationMode,
    adjust_brightness,
    adjust_contrast,
    adjust_saturation,
    height_and_width,
    only_pil,
    rotate,
)
from mindport.equivalents.image_geometry import affine
from mindport.equivalents.image_tones import adjust_sharpness, autocontrast, equalize, posterize, solarize

#: In the order in which they are numbered when one is drawn.
OPERATIONS = (
    "nothing", "lean", "rise", "right", "down", "turn", "brightness", "colour", "contrast", "sharpness", "posterize", "solarize",
    "autocontrast", "equalize",
)  # fmt: skip
FACTORS = {"brightness": adjust_brightness, "colour": adjust_saturation, "contrast": adjust_contrast, "sharpness": adjust_sharpness}
#: Those whose strength has a sign that is drawn, too.
SIGNED = ("lean", "rise", "right", "down", "turn", *FACTORS)


def _steps(end, count):
    """`count` numbers from 0 to `end`, as a float32 that is counted from the nearer end."""
    step, places = np.float32(end) / np.float32(count - 1), np.arange(count, dtype=np.float32)
    return np.where(places < count // 2, step * places, np.float32(end) - step * (count - 1 - places))


def strengths(name, most, count):
    """The strengths of an operation; None where it has none. `most`: the strongest of each kind."""
    if name in FACTORS:
        return _steps(most["factor"], count)
    if name == "posterize":
        return 8 - np.round(np.arange(count, dtype=np.float32) / np.float32((count - 1) / most["bits"]))
    if name == "solarize":
        return _steps(255.0, count)[::-1]
    return _steps(most[name], count) if name in most else None


def changed(img, name, strength, interpolation, fill):
    """The image after one operation."""
    if name in ("lean", "rise"):
        degrees = math.degrees(math.atan(strength))
        shear = [degrees, 0.0] if name == "lean" else [0.0, degrees]
        return affine(img, 0.0, [0, 0], 1.0, shear, interpolation, fill, [0, 0])
    if name in ("right", "down"):
        shift = [int(strength), 0] if name == "right" else [0, int(strength)]
        return affine(img, 0.0, shift, 1.0, [0.0, 0.0], interpolation, fill)
    if name == "turn":
        return rotate(img, strength, interpolation, fill=fill)
    if name in FACTORS:
        return FACTORS[name](img, 1.0 + strength)
    if name == "posterize":
        return posterize(img, int(strength))
    if name == "solarize":
        return solarize(img, strength)
    return {"nothing": lambda img: img, "autocontrast": autocontrast, "equalize": equalize}[name](img)


def _number(count):
    return default_generator.integers(0, count, 1)[0]


def _one(img, most, count, chosen, interpolation, fill):
    """One operation that is drawn, with the strength number `chosen`, or with one that is drawn where that is None."""
    only_pil(img, "an augmentation")
    name = OPERATIONS[_number(len(OPERATIONS))]
    possible = strengths(name, most, count)
    strength = 0.0
    if possible is not None:
        strength = float(possible[_number(count) if chosen is None else chosen])
    if name in SIGNED and _number(2):
        strength = -strength
    return changed(img, name, strength, interpolation, fill)


@layer("torchvision.transforms.RandAugment")
class RandAugment:
    """`num_ops` operations in a row, all of the same strength."""

    def __init__(self, num_ops=2, magnitude=9, num_magnitude_bins=31, interpolation=InterpolationMode.NEAREST, fill=None):
        self.num_ops, self.magnitude, self.num_magnitude_bins = num_ops, magnitude, num_magnitude_bins
        self.interpolation, self.fill = interpolation, fill

    def __call__(self, img):
        height, width = height_and_width(img)
        most = {"lean": 0.3, "rise": 0.3, "right": 150.0 / 331.0 * width, "down": 150.0 / 331.0 * height, "turn": 30.0, "factor": 0.9, "bits": 4}
        for _ in range(self.num_ops):
            img = _one(img, most, self.num_magnitude_bins, self.magnitude, self.interpolation, self.fill)
        return img


@layer("torchvision.transforms.TrivialAugmentWide")
class TrivialAugmentWide:
    """One operation of a strength that is drawn."""

    def __init__(self, num_magnitude_bins=31, interpolation=InterpolationMode.NEAREST, fill=None):
        self.num_magnitude_bins, self.interpolation, self.fill = num_magnitude_bins, interpolation, fill

    def __call__(self, img):
        most = {"lean": 0.99, "rise": 0.99, "right": 32.0, "down": 32.0, "turn": 135.0, "factor": 0.99, "bits": 6}
        return _one(img, most, self.num_magnitude_bins, None, self.interpolation, self.fill)
