"""torchvision's Gaussian blur, on PIL images and tensors: one pass along each axis, borders reflected.

https://docs.pytorch.org/vision/0.28/generated/torchvision.transforms.GaussianBlur.html
"""

import numbers

import numpy as np
from mindspore import Tensor, ops
from PIL import Image

from mindport.declare import Refused, difference, equivalent, layer
from mindport.equivalents.generators import default_generator
from mindport.equivalents.image_functional import V1, V2

MODES = ("L", "RGB", "YCbCr", "HSV", "RGBA", "CMYK", "RGBX")


def gaussian_weights(size, sigma):
    """`size` weights of a bell of width `sigma` (float64), whose sum is one."""
    half = (size - 1) * 0.5
    weights = np.exp(-0.5 * (np.linspace(-half, half, size) / sigma) ** 2)
    return weights / weights.sum()


def mirrored(length, margin):
    """The indices of an axis of that length with `margin` more at both ends, reflected without the border."""
    if margin >= length:
        raise RuntimeError(f"Padding size should be less than the corresponding input dimension, but got: padding ({margin}, {margin}) for {length} pixels")
    places = np.abs(np.arange(-margin, length + margin))
    return np.where(places >= length, 2 * (length - 1) - places, places)


def blurred_array(pixels, weights, axis):
    """Of a NumPy array, in float64."""
    length, padded = pixels.shape[axis], np.take(pixels, mirrored(pixels.shape[axis], len(weights) // 2), axis).astype(np.float64)
    return sum(weight * np.take(padded, range(k, k + length), axis) for k, weight in enumerate(weights))


def blurred_tensor(x, weights):
    """Of a tensor's last axis, differentiable."""
    length = x.shape[-1]
    padded = ops.gather(x, Tensor(mirrored(length, len(weights) // 2)), x.ndim - 1)
    parts = [padded[..., k : k + length] * float(weight) for k, weight in enumerate(weights)]
    return sum(parts[1:], parts[0])


def two_sizes(kernel_size):
    """(across, down) of one number or a list of one or two."""
    if isinstance(kernel_size, numbers.Number):
        return [int(kernel_size)] * 2
    sizes = list(kernel_size)
    if len(sizes) not in (1, 2):
        raise ValueError(f"If kernel_size is a sequence its length should be 2. Got {len(sizes)}")
    return sizes * 2 if len(sizes) == 1 else sizes


def two_widths(sigma, sizes):
    """The bells' widths, from the sizes where none are given."""
    if sigma is None:
        return [size * 0.15 + 0.35 for size in sizes]
    widths = [float(sigma)] if isinstance(sigma, numbers.Number) else [float(one) for one in sigma]
    if len(widths) not in (1, 2):
        raise ValueError(f"If sigma is a sequence, its length should be 2. Got {len(widths)}")
    return widths * 2 if len(widths) == 1 else widths


@equivalent(V1 + "gaussian_blur", V2 + "gaussian_blur", differs=[difference("a whole-number pixel whose value falls halfway between two may be rounded to the other one: torchvision sums all products in float32", when="not (isinstance(img, ms.Tensor) and img.is_floating_point())", risk="style", zh="整数像素恰在两值中间时舍入可能不同")])
def gaussian_blur(img, kernel_size, sigma=None):
    """The mean of each pixel's surroundings, weighted by a bell; PIL images stay PIL images."""
    sizes = two_sizes(kernel_size)
    widths = two_widths(sigma, sizes)
    for size in sizes:
        if size % 2 == 0 or size < 0:
            raise ValueError(f"kernel_size should have odd and positive integers. Got {sizes}")
    for width in widths:
        if width <= 0.0:
            raise ValueError(f"sigma should have positive values. Got {widths}")
    across, down = (gaussian_weights(size, width) for size, width in zip(sizes, widths))
    if isinstance(img, Image.Image):
        if img.mode not in MODES:
            raise Refused(f"images of mode {img.mode}: convert them to L, RGB or RGBA first")
        pixels = np.rint(blurred_array(blurred_array(np.asarray(img), across, 1), down, 0)).astype(np.uint8)
        return Image.fromarray(pixels, img.mode) if img.mode != "RGBX" else Image.frombytes("RGBX", img.size, pixels.tobytes())
    if not isinstance(img, Tensor):
        raise TypeError(f"img should be PIL Image or Tensor. Got {type(img)}")
    if img.is_floating_point():
        return blurred_tensor(blurred_tensor(img, across).swapaxes(-1, -2), down).swapaxes(-1, -2)
    pixels = img.asnumpy()
    return Tensor(np.rint(blurred_array(blurred_array(pixels, across, -1), down, -2)).astype(pixels.dtype))


@layer("torchvision.transforms.GaussianBlur", "torchvision.transforms.v2.GaussianBlur", differs=[difference("a whole-number pixel whose value falls halfway between two may be rounded to the other one: torchvision sums all products in float32", when="not (isinstance(inputs[0], ms.Tensor) and inputs[0].is_floating_point())", risk="style", zh="整数像素恰在两值中间时舍入可能不同")])
class GaussianBlur:
    """Blurs by a bell whose width is drawn between two bounds."""

    def __init__(self, kernel_size, sigma=(0.1, 2.0)):
        self.kernel_size = tuple(two_sizes(kernel_size))
        if any(size <= 0 or size % 2 == 0 for size in self.kernel_size):
            raise ValueError("Kernel size value should be an odd and positive number.")
        self.sigma = (sigma, sigma) if isinstance(sigma, numbers.Number) else sigma
        if len(self.sigma) != 2 or not 0.0 < self.sigma[0] <= self.sigma[1]:
            raise ValueError("sigma values should be positive and of the form (min, max).")

    @staticmethod
    def get_params(sigma_min, sigma_max):
        """A width between two bounds."""
        return default_generator.between(sigma_min, sigma_max)

    def __call__(self, img):
        width = self.get_params(self.sigma[0], self.sigma[1])
        return gaussian_blur(img, self.kernel_size, [width, width])
