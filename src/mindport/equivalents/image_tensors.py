"""What torchvision's transforms compute on tensors (…, channels, height, width) with operators of its own: other sizes and other colours, in NumPy.

torchvision/transforms/_functional_tensor.py. Data sets run this in processes of their own, where MindSpore's operators do not belong.
"""

import math

import numpy as np
from mindspore import Tensor

from mindport.declare import Refused

#: Pillow's numbers of the interpolations that tensors have.
MODES = {0: "nearest", 2: "bilinear", 3: "bicubic"}


def pixels_or_refused(img, what):
    """A tensor's pixels: of floating numbers, or bytes where `what` is of colours."""
    pixels = img.asnumpy()
    if pixels.dtype.kind != "f" and (what == "resize" or pixels.dtype != np.uint8):
        raise Refused(f"{what} of a tensor of {pixels.dtype}: let it stand before ToTensor, where the image is a PIL image")
    return pixels


# -- sizes -------------------------------------------------------------------------------


def keys(distance, a):
    """Keys' cubic convolution kernel."""
    d = np.abs(distance)
    inner = ((a + 2) * d - (a + 3)) * d * d + 1
    outer = ((a * d - 5 * a) * d + 8 * a) * d - 4 * a
    return np.where(d < 1, inner, np.where(d < 2, outer, 0.0))


def weights_of(length, new, mode, antialias):
    """The matrix (new, length) by which the pixels along one axis are weighed."""
    matrix = np.zeros((new, length))
    step = length / new
    for row in range(new):
        if mode in ("nearest", "nearest-exact"):
            at = np.float32(row) if mode == "nearest" else np.float32(row) + np.float32(0.5)
            matrix[row, min(math.floor(at * np.float32(step)), length - 1)] = 1
        elif antialias:
            widened = max(step, 1.0)
            support = (1 if mode == "bilinear" else 2) * widened
            centre = step * (row + 0.5)
            first, last = max(math.floor(centre - support + 0.5), 0), min(math.floor(centre + support + 0.5), length)
            distance = (np.arange(first, last) - centre + 0.5) / widened
            weights = np.maximum(1 - np.abs(distance), 0) if mode == "bilinear" else keys(distance, -0.5)
            matrix[row, first:last] = weights / weights.sum()
        elif mode == "bilinear":
            at = max((row + 0.5) * step - 0.5, 0.0)
            low = min(math.floor(at), length - 1)
            matrix[row, low] += 1 - (at - low)
            matrix[row, min(low + 1, length - 1)] += at - low
        else:
            at = (row + 0.5) * step - 0.5
            for place in range(math.floor(at) - 1, math.floor(at) + 3):
                matrix[row, min(max(place, 0), length - 1)] += keys(at - place, -0.75)
    return matrix


def resized_tensor(img, height, width, interpolation, antialias):
    """A tensor image of another size; `antialias` widens the filter as the image shrinks, as Pillow always does."""
    pixels = pixels_or_refused(img, "resize")
    mode = MODES.get(interpolation) if isinstance(interpolation, int) else interpolation.value
    if mode not in ("nearest", "nearest-exact", "bilinear", "bicubic"):
        raise ValueError("This Interpolation mode is unsupported with Tensor input")
    across = weights_of(pixels.shape[-1], width, mode, antialias).astype(pixels.dtype)
    down = weights_of(pixels.shape[-2], height, mode, antialias).astype(pixels.dtype)
    return Tensor(np.ascontiguousarray(down @ (pixels @ across.T)))


# -- colours -----------------------------------------------------------------------------


def checked_colours(img, what, factor=0):
    """A tensor's pixels, of one channel or three; no factor may be negative."""
    if factor < 0:
        raise ValueError(f"{what} ({factor}) is not non-negative.")
    pixels = pixels_or_refused(img, what)
    if pixels.shape[-3] not in (1, 3):
        raise TypeError(f"Input image tensor permitted channel values are 1 or 3, but found {pixels.shape[-3]}")
    return pixels


def gray_of(pixels):
    """Luminance in one channel, of bytes without what is behind the point."""
    if pixels.shape[-3] == 1:
        return pixels
    red, green, blue = (pixels[..., i : i + 1, :, :].astype(np.result_type(pixels, np.float32)) for i in range(3))
    gray = red * np.float32(0.2989) + green * np.float32(0.587) + blue * np.float32(0.114)
    return gray.astype(pixels.dtype)


def blended(pixels, other, ratio):
    """`ratio` times the pixels and the rest of the other ones, within their range."""
    kind = np.result_type(pixels, np.float32)
    mixed = pixels.astype(kind) * kind.type(ratio) + other.astype(kind) * kind.type(1.0 - ratio)
    return Tensor(np.clip(mixed, 0, 1 if pixels.dtype.kind == "f" else 255).astype(pixels.dtype))


def brightened(img, factor):
    """0 is black, 1 the image."""
    pixels = checked_colours(img, "brightness_factor", factor)
    return blended(pixels, np.zeros_like(pixels), factor)


def contrasted(img, factor):
    """0 is one gray, 1 the image."""
    pixels = checked_colours(img, "contrast_factor", factor)
    gray = gray_of(pixels)
    return blended(pixels, gray.astype(np.result_type(gray, np.float32)).mean(axis=(-3, -2, -1), keepdims=True), factor)


def saturated(img, factor):
    """0 is gray, 1 the image."""
    pixels = checked_colours(img, "saturation_factor", factor)
    return img if pixels.shape[-3] == 1 else blended(pixels, gray_of(pixels), factor)


def hue_turned(img, factor):
    """Colours turned round the colour circle by the factor's part of it."""
    pixels = checked_colours(img, "hue_factor")
    if pixels.shape[-3] == 1:
        return img
    plain = pixels if pixels.dtype.kind == "f" else pixels.astype(np.float32) / np.float32(255)
    plain = plain.astype(np.float32)
    red, green, blue = plain[..., 0, :, :], plain[..., 1, :, :], plain[..., 2, :, :]
    high, low = plain.max(axis=-3), plain.min(axis=-3)
    gray, spread = high == low, high - low
    saturation = spread / np.where(gray, np.float32(1), high)
    divisor = np.where(gray, np.float32(1), spread)
    of_red, of_green, of_blue = (high - red) / divisor, (high - green) / divisor, (high - blue) / divisor
    hue = np.where(high == red, of_blue - of_green, np.where(high == green, np.float32(2) + of_red - of_blue, np.float32(4) + of_green - of_red))
    hue = (np.fmod(hue / np.float32(6) + np.float32(1), np.float32(1)) + np.float32(factor)) % np.float32(1)
    sector = np.floor(hue * np.float32(6))
    part, sector = hue * np.float32(6) - sector, sector.astype(np.int32) % 6
    p = np.clip(high * (1 - saturation), 0, 1)
    q = np.clip(high * (1 - saturation * part), 0, 1)
    t = np.clip(high * (1 - saturation * (1 - part)), 0, 1)
    colours = [np.choose(sector, of) for of in ((high, q, p, p, t, high), (t, high, high, q, p, p), (p, p, t, high, high, q))]
    result = np.stack(colours, axis=-3)
    if pixels.dtype.kind == "f":
        return Tensor(result.astype(pixels.dtype))
    return Tensor((result * np.float32(255 + 1.0 - 1e-3)).astype(np.uint8))
