"""torchvision's affine and perspective maps of PIL images, given and drawn: the same numbers for the same seed, in the same order.

https://docs.pytorch.org/vision/0.28/transforms.html. Pillow asks where each pixel of the result comes from, so maps are inverted.
"""

import math
import numbers

import numpy as np
from PIL import Image

from mindport.declare import equivalent, layer
from mindport.equivalents.generators import default_generator
from mindport.equivalents.image_functional import (
    InterpolationMode,
    filling,
    filter_of,
    height_and_width,
    only_pil,
)
from mindport.equivalents.random_image_transforms import by_chance

V1 = "torchvision.transforms.functional."


def _origin(center, angle, translate, scale, shear):
    """The six numbers of the map from the result's pixels to the image's: shear, turn and scale about `center`, then shift, undone."""
    turn, lean, rise = math.radians(angle), math.radians(shear[0]), math.radians(shear[1])
    along, across = math.cos(turn - rise), math.sin(turn - rise)
    column = along / math.cos(rise), across / math.cos(rise)
    row = -along * math.tan(lean) / math.cos(rise) - math.sin(turn), -across * math.tan(lean) / math.cos(rise) + math.cos(turn)
    # The determinant of what is undone is scale²: a map without scale keeps areas.
    back = [row[1] / scale, -row[0] / scale, -column[1] / scale, column[0] / scale]
    x, y = -center[0] - translate[0], -center[1] - translate[1]
    return [back[0], back[1], back[0] * x + back[1] * y + center[0], back[2], back[3], back[2] * x + back[3] * y + center[1]]


@equivalent(V1 + "affine")
def affine(img, angle, translate, scale, shear, interpolation=InterpolationMode.NEAREST, fill=None, center=None):
    """Turned clockwise by `angle` degrees about the centre, scaled, sheared by degrees, and shifted by pixels."""
    only_pil(img, "affine")
    if scale <= 0.0:
        raise ValueError("Argument scale should be positive")
    shear = (shear, 0.0) if isinstance(shear, numbers.Number) else tuple(shear) * (2 if len(shear) == 1 else 1)
    center = (img.width * 0.5, img.height * 0.5) if center is None else center
    found = _origin(center, angle, translate, scale, shear)
    return img.transform(img.size, Image.Transform.AFFINE, found, filter_of(interpolation), fillcolor=filling(img, fill))


@equivalent(V1 + "perspective")
def perspective(img, startpoints, endpoints, interpolation=InterpolationMode.BILINEAR, fill=None):
    """Seen so that four points come to lie where four others are."""
    only_pil(img, "perspective")
    rows = []
    for (x, y), (u, v) in zip(endpoints, startpoints):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
    found = np.linalg.solve(np.array(rows, np.float64), np.array(startpoints, np.float64).reshape(8)).astype(np.float32)
    return img.transform(img.size, Image.Transform.PERSPECTIVE, found.tolist(), filter_of(interpolation), fillcolor=filling(img, fill))


def _both_ways(angle, name):
    """One number as the range of both signs, a range as it is."""
    if isinstance(angle, numbers.Number):
        if angle < 0:
            raise ValueError(f"If {name} is a single number, it must be positive.")
        return [-float(angle), float(angle)]
    return [float(one) for one in angle]


@layer("torchvision.transforms.RandomAffine")
class RandomAffine:
    """Turned, shifted, scaled and sheared by random amounts about the centre."""

    def __init__(self, degrees, translate=None, scale=None, shear=None, interpolation=InterpolationMode.NEAREST, fill=0, center=None):
        if translate is not None and not all(0.0 <= part <= 1.0 for part in translate):
            raise ValueError("translation values should be between 0 and 1")
        if scale is not None and not all(factor > 0 for factor in scale):
            raise ValueError("scale values should be positive")
        self.degrees = _both_ways(degrees, "degrees")
        self.translate, self.scale = translate, scale
        self.shear = shear if shear is None else _both_ways(shear, "shear")
        self.interpolation, self.fill, self.center = interpolation, fill, center

    @staticmethod
    def get_params(degrees, translate, scale_ranges, shears, img_size):
        """(angle, (right, down), factor, (shear along x, along y))."""
        angle = default_generator.between(degrees[0], degrees[1])
        shift = (0, 0)
        if translate is not None:
            most = [float(part * size) for part, size in zip(translate, img_size)]
            shift = tuple([round(default_generator.between(-one, one)) for one in most])
        scale = 1.0 if scale_ranges is None else default_generator.between(scale_ranges[0], scale_ranges[1])
        lean = rise = 0.0
        if shears is not None:
            lean = default_generator.between(shears[0], shears[1])
            if len(shears) == 4:
                rise = default_generator.between(shears[2], shears[3])
        return angle, shift, scale, (lean, rise)

    def __call__(self, img):
        height, width = height_and_width(img)
        drawn = self.get_params(self.degrees, self.translate, self.scale, self.shear, [width, height])
        return affine(img, *drawn, interpolation=self.interpolation, fill=self.fill, center=self.center)


@layer("torchvision.transforms.RandomPerspective")
class RandomPerspective:
    """Seen from another side, with probability p: each corner moves inwards by at most half the size times `distortion_scale`."""

    def __init__(self, distortion_scale=0.5, p=0.5, interpolation=InterpolationMode.BILINEAR, fill=0):
        self.distortion_scale, self.p, self.interpolation, self.fill = distortion_scale, p, interpolation, fill

    @staticmethod
    def get_params(width, height, distortion_scale):
        """(the four corners, where they come to lie), from the upper left one clockwise."""
        most_x, most_y = int(distortion_scale * (width // 2)), int(distortion_scale * (height // 2))
        left, right = (0, most_x + 1), (width - most_x - 1, width)
        upper, lower = (0, most_y + 1), (height - most_y - 1, height)
        ranges = ((left, upper), (right, upper), (right, lower), (left, lower))
        moved = [[default_generator.integers(*bounds, 1)[0] for bounds in corner] for corner in ranges]
        return [[0, 0], [width - 1, 0], [width - 1, height - 1], [0, height - 1]], moved

    def __call__(self, img):
        if not by_chance(self.p):
            return img
        height, width = height_and_width(img)
        corners, moved = self.get_params(width, height, self.distortion_scale)
        return perspective(img, corners, moved, self.interpolation, self.fill)
