"""torchvision.transforms.functional on PIL images and on tensors (…, channels, height, width), pixel by pixel.

https://docs.pytorch.org/vision/0.28/transforms.html. PIL images go through Pillow, as in torchvision; tensors through
NumPy. What torchvision computes on tensors with operators of its own stands in `image_tensors`; rotating them is refused.
"""

import numbers
from enum import Enum

import mindspore as ms
import numpy as np
from mindspore import Tensor
from PIL import Image, ImageEnhance, ImageOps

from mindport.declare import Refused, difference, equivalent, layer
from mindport.equivalents.image_tensors import brightened, contrasted, hue_turned, resized_tensor, saturated

V1 = "torchvision.transforms.functional."
V2 = "torchvision.transforms.v2.functional."


@layer("torchvision.transforms.InterpolationMode", "torchvision.transforms.functional.InterpolationMode", "torchvision.transforms.v2.InterpolationMode")
class InterpolationMode(Enum):
    """How pixels between pixels are computed."""

    NEAREST = "nearest"
    NEAREST_EXACT = "nearest-exact"
    BILINEAR = "bilinear"
    BICUBIC = "bicubic"
    BOX = "box"
    HAMMING = "hamming"
    LANCZOS = "lanczos"


def filter_of(interpolation):
    """Pillow's number of an interpolation; a number (torchvision's older form) is one already."""
    numbers_of = {"nearest": 0, "nearest-exact": 0, "lanczos": 1, "bilinear": 2, "bicubic": 3, "box": 4, "hamming": 5}
    return interpolation if isinstance(interpolation, int) else numbers_of[interpolation.value]


def channels_of(img):
    """How many channels a PIL image has."""
    return 1 if img.mode.startswith(("1", "L;", "I", "F")) or img.mode == "L" or img.mode == "P" else len(img.getbands())


def height_and_width(img):
    """The size of a PIL image or of a tensor."""
    return (img.height, img.width) if isinstance(img, Image.Image) else tuple(img.shape[-2:])


def pair(size):
    """One number or a list of one or two as (height, width)."""
    if isinstance(size, numbers.Number):
        return int(size), int(size)
    return (size[0], size[0]) if len(size) == 1 else (size[0], size[1])


def filling(img, fill):
    """A fill colour as Pillow takes it for this image."""
    count = channels_of(img)
    fill = 0 if fill is None else fill
    if isinstance(fill, (int, float)) and count > 1:
        fill = (fill,) * count
    if isinstance(fill, (list, tuple)):
        if len(fill) not in (1, count):
            raise ValueError(f"The number of elements in 'fill' does not match the number of channels of the image ({len(fill)} != {count})")
        fill = tuple(fill) * (count if len(fill) == 1 else 1)
        return fill if img.mode == "F" else tuple(int(value) for value in fill)
    return fill if img.mode == "F" else int(fill)


def only_pil(img, what):
    """Stops where an image is not a PIL image."""
    if not isinstance(img, Image.Image):
        raise Refused(f"{what} of a tensor: let it stand before ToTensor, where the image is a PIL image")


def sides(padding):
    """A padding as (left, top, right, bottom)."""
    if isinstance(padding, numbers.Number):
        return padding, padding, padding, padding
    if len(padding) not in (1, 2, 4):
        raise ValueError(f"Padding must be an int or a 1, 2, or 4 element tuple, not a {len(padding)} element tuple")
    return tuple(padding) * (4 // len(padding))


@equivalent(V1 + "to_tensor", V2 + "to_tensor")
def to_tensor(pic):
    """An image (height, width, channels) as a tensor (channels, height, width); bytes become float32 in [0, 1]."""
    if isinstance(pic, Image.Image):
        pixels = pixels_of(pic)
        if pic.mode == "1":
            pixels = pixels * np.uint8(255)
    elif isinstance(pic, np.ndarray):
        if pic.ndim not in (2, 3):
            raise ValueError(f"pic should be 2/3 dimensional. Got {pic.ndim} dimensions.")
        pixels = np.atleast_3d(pic).transpose(2, 0, 1)
    else:
        raise TypeError(f"pic should be PIL Image or ndarray. Got {type(pic)}")
    if pixels.dtype == np.uint8:
        return Tensor(pixels.astype(np.float32) / np.float32(255))
    return Tensor(np.ascontiguousarray(pixels))


def pixels_of(pic):
    """A PIL image's pixels (channels, height, width) in their own type."""
    kinds = {"I": np.int32, "I;16": np.int16, "F": np.float32}
    return np.atleast_3d(np.array(pic, kinds.get(pic.mode, np.uint8))).transpose(2, 0, 1)


@equivalent(V1 + "pil_to_tensor", V2 + "pil_to_tensor", V2 + "to_image")
def pil_to_tensor(pic):
    """A PIL image as a tensor (channels, height, width) of its own type."""
    if isinstance(pic, Tensor):
        return pic
    if isinstance(pic, np.ndarray):
        return Tensor(np.ascontiguousarray(np.atleast_3d(pic).transpose(2, 0, 1)))
    if not isinstance(pic, Image.Image):
        raise TypeError(f"pic should be PIL Image. Got {type(pic)}")
    return Tensor(np.ascontiguousarray(pixels_of(pic)))


@equivalent(V1 + "to_pil_image", V2 + "to_pil_image")
def to_pil_image(pic, mode=None):
    """A tensor (channels, height, width) or an array (height, width, channels) as a PIL image."""
    if isinstance(pic, Tensor):
        pixels = pic.asnumpy()
        pixels = pixels.transpose(1, 2, 0) if pixels.ndim == 3 else pixels
    elif isinstance(pic, np.ndarray):
        pixels = pic
    else:
        raise TypeError(f"pic should be Tensor or ndarray. Got {type(pic)}.")
    if pixels.ndim not in (2, 3):
        raise ValueError(f"pic should be 2/3 dimensional. Got {pixels.ndim} dimensions.")
    pixels = np.atleast_3d(pixels)
    if pixels.shape[2] > 4:
        raise ValueError(f"pic should not have > 4 channels. Got {pixels.shape[2]} channels.")
    if pixels.dtype.kind == "f" and mode != "F":
        pixels = (pixels * 255).astype(np.uint8)
    if pixels.shape[2] == 1:
        pixels = pixels[:, :, 0]
        own = {"uint8": "L", "int16": "I;16", "int32": "I", "float32": "F"}.get(pixels.dtype.name)
        if mode is not None and mode != own:
            raise ValueError(f"Incorrect mode ({mode}) supplied for input type {pixels.dtype}. Should be {own}")
        mode = own
    else:
        allowed = {2: ["LA"], 3: ["RGB", "YCbCr", "HSV"], 4: ["RGBA", "CMYK", "RGBX"]}[pixels.shape[2]]
        if mode is not None and mode not in allowed:
            raise ValueError(f"Only modes {allowed} are supported for {pixels.shape[2]} channels")
        if mode is None and pixels.dtype == np.uint8:
            mode = allowed[0]
    if mode is None:
        raise TypeError(f"Input type {pixels.dtype} is not supported")
    picture = Image.fromarray(np.ascontiguousarray(pixels))
    return picture if picture.mode == mode else Image.frombytes(mode, picture.size, np.ascontiguousarray(pixels).tobytes())


@equivalent(
    V1 + "normalize", V2 + "normalize",
    differs=[difference("the result is a new tensor: the input stays as it is", when="inplace", zh="返回新张量，输入不变")],
)
def normalize(tensor, mean, std, inplace=False):
    """(tensor - mean) / std, channel by channel."""
    if not isinstance(tensor, Tensor):
        raise TypeError(f"img should be Tensor Image. Got {type(tensor)}")
    pixels = tensor.asnumpy()
    if pixels.dtype.kind != "f":
        raise TypeError(f"Input tensor should be a float tensor. Got {tensor.dtype}.")
    if pixels.ndim < 3:
        raise ValueError(f"Expected tensor to be a tensor image of size (..., C, H, W). Got {tensor.shape}")
    middle = np.asarray(mean, dtype=pixels.dtype).reshape(-1, 1, 1)
    spread = np.asarray(std, dtype=pixels.dtype).reshape(-1, 1, 1)
    if (spread == 0).any():
        raise ValueError("std evaluated to zero, leading to division by zero.")
    return Tensor((pixels - middle) / spread)


@equivalent(V1 + "convert_image_dtype")
def convert_image_dtype(image, dtype=ms.float32):
    """Another dtype, whose whole range stands for [0, 1]."""
    pixels, wanted = image.asnumpy(), np.dtype(ms.dtype_to_nptype(dtype))
    if pixels.dtype.kind in "iu" and wanted.kind == "f":
        return Tensor(pixels.astype(wanted) / wanted.type(np.iinfo(pixels.dtype).max))
    return to_dtype(image, dtype, True)


@equivalent(V2 + "to_dtype")
def to_dtype(inpt, dtype=ms.float32, scale=False):
    """Another dtype; with `scale` the dtype's whole range stands for [0, 1]."""
    pixels, wanted = inpt.asnumpy(), np.dtype(ms.dtype_to_nptype(dtype))
    if not scale or pixels.dtype == wanted or (pixels.dtype.kind == "f" and wanted.kind == "f"):
        return Tensor(pixels.astype(wanted))
    if pixels.dtype.kind in "iu" and wanted.kind == "f":
        return Tensor(pixels.astype(wanted) * wanted.type(1.0 / np.iinfo(pixels.dtype).max))
    if pixels.dtype.kind == "f" and wanted.kind in "iu" and wanted.itemsize <= 2:
        return Tensor((pixels * pixels.dtype.type(np.iinfo(wanted).max + 1.0 - 1e-3)).astype(wanted))
    raise Refused("scaling between these dtypes: go through float32 and uint8")


@equivalent(V1 + "resize", V2 + "resize")
def resize(img, size, interpolation=InterpolationMode.BILINEAR, max_size=None, antialias=True):
    """An image of another size; one number is the shorter side's, and the other side follows. Pillow smooths without `antialias`, too."""
    rows, columns = height_and_width(img)
    if isinstance(size, (list, tuple)) and len(size) == 2:
        if max_size is not None:
            raise ValueError("max_size should only be passed if size specifies the length of the smaller edge")
        height, width = size
    else:
        shorter = size if isinstance(size, int) else size[0]
        low, high = sorted((rows, columns))
        longer = int(shorter * high / low)
        if max_size is not None and longer > max_size:
            shorter, longer = int(max_size * shorter / longer), max_size
        width, height = (shorter, longer) if columns <= rows else (longer, shorter)
    if (rows, columns) == (height, width):
        return img
    if isinstance(img, Tensor):
        return resized_tensor(img, height, width, interpolation, antialias)
    return img.resize((width, height), filter_of(interpolation))


@equivalent(V1 + "crop", V2 + "crop")
def crop(img, top, left, height, width):
    """A rectangle of the image; what lies outside is 0."""
    if isinstance(img, Image.Image):
        return img.crop((left, top, left + width, top + height))
    rows, columns = height_and_width(img)
    right, bottom = left + width, top + height
    if left < 0 or top < 0 or right > columns or bottom > rows:
        inside = img[..., max(top, 0) : max(bottom, 0), max(left, 0) : max(right, 0)]
        return pad(inside, [max(min(right, 0) - left, 0), max(min(bottom, 0) - top, 0), max(right - max(columns, left), 0), max(bottom - max(rows, top), 0)])
    return img[..., top:bottom, left:right]


@equivalent(V1 + "center_crop", V2 + "center_crop")
def center_crop(img, output_size):
    """The middle of the image; where it is too small, zeros around it."""
    height, width = pair(output_size)
    rows, columns = height_and_width(img)
    if width > columns or height > rows:
        across, down = max(width - columns, 0), max(height - rows, 0)
        img = pad(img, [across // 2, down // 2, (across + 1) // 2, (down + 1) // 2])
        rows, columns = height_and_width(img)
    return crop(img, int(round((rows - height) / 2.0)), int(round((columns - width) / 2.0)), height, width)


@equivalent(V1 + "resized_crop", V2 + "resized_crop")
def resized_crop(img, top, left, height, width, size, interpolation=InterpolationMode.BILINEAR, antialias=True):
    """A rectangle of the image in another size."""
    return resize(crop(img, top, left, height, width), size, interpolation, None, antialias)


@equivalent(V1 + "hflip", V2 + "hflip", V2 + "horizontal_flip")
def hflip(img):
    """Left and right exchanged."""
    if isinstance(img, Image.Image):
        return img.transpose(Image.FLIP_LEFT_RIGHT)
    return Tensor(np.ascontiguousarray(img.asnumpy()[..., ::-1]))


@equivalent(V1 + "vflip", V2 + "vflip", V2 + "vertical_flip")
def vflip(img):
    """Top and bottom exchanged."""
    if isinstance(img, Image.Image):
        return img.transpose(Image.FLIP_TOP_BOTTOM)
    return Tensor(np.ascontiguousarray(img.asnumpy()[..., ::-1, :]))


@equivalent(V1 + "pad", V2 + "pad")
def pad(img, padding, fill=0, padding_mode="constant"):
    """Pixels around the image: of one colour, or the image's own."""
    left, top, right, bottom = sides(padding)
    if padding_mode not in ("constant", "edge", "reflect", "symmetric"):
        raise ValueError("Padding mode should be either constant, edge, reflect or symmetric")
    if isinstance(img, Image.Image):
        if padding_mode == "constant":
            picture = ImageOps.expand(img, border=(left, top, right, bottom), fill=filling(img, fill))
            if img.mode == "P":
                picture.putpalette(img.getpalette())
            return picture
        pixels = np.asarray(img)
        widths = [(top, bottom), (left, right)] + [(0, 0)] * (pixels.ndim - 2)
        picture = Image.fromarray(np.pad(pixels, widths, mode=padding_mode))
        if img.mode == "P":
            picture.putpalette(img.getpalette())
        return picture
    pixels = img.asnumpy()
    widths = [(0, 0)] * (pixels.ndim - 2) + [(top, bottom), (left, right)]
    if padding_mode != "constant":
        return Tensor(np.pad(pixels, widths, mode=padding_mode))
    if isinstance(fill, (list, tuple)) and len(fill) > 1:
        raise Refused("one fill value for each channel of a tensor: pad before ToTensor")
    value = fill[0] if isinstance(fill, (list, tuple)) else fill
    return Tensor(np.pad(pixels, widths, mode="constant", constant_values=0 if value is None else value))


@equivalent(V1 + "rgb_to_grayscale", V1 + "to_grayscale", V2 + "rgb_to_grayscale", V2 + "to_grayscale")
def rgb_to_grayscale(img, num_output_channels=1):
    """Luminance, in one channel or in three alike."""
    if num_output_channels not in (1, 3):
        raise ValueError("num_output_channels should be either 1 or 3")
    if isinstance(img, Image.Image):
        gray = img.convert("L")
        return gray if num_output_channels == 1 else Image.merge("RGB", (gray, gray, gray))
    pixels = img.asnumpy()
    red, green, blue = (pixels[..., i, :, :].astype(np.float32) for i in range(3))
    weights = np.float32(0.2989), np.float32(0.587), np.float32(0.114)
    gray = (weights[0] * red + weights[1] * green + weights[2] * blue).astype(pixels.dtype)
    return Tensor(np.stack([gray] * num_output_channels, axis=-3))


@equivalent(V1 + "adjust_brightness", V2 + "adjust_brightness")
def adjust_brightness(img, brightness_factor):
    """0 is black, 1 the image."""
    if isinstance(img, Tensor):
        return brightened(img, brightness_factor)
    return ImageEnhance.Brightness(img).enhance(brightness_factor)


@equivalent(V1 + "adjust_contrast", V2 + "adjust_contrast")
def adjust_contrast(img, contrast_factor):
    """0 is one gray, 1 the image."""
    if isinstance(img, Tensor):
        return contrasted(img, contrast_factor)
    return ImageEnhance.Contrast(img).enhance(contrast_factor)


@equivalent(V1 + "adjust_saturation", V2 + "adjust_saturation")
def adjust_saturation(img, saturation_factor):
    """0 is gray, 1 the image."""
    if isinstance(img, Tensor):
        return saturated(img, saturation_factor)
    return ImageEnhance.Color(img).enhance(saturation_factor)


@equivalent(V1 + "adjust_hue", V2 + "adjust_hue")
def adjust_hue(img, hue_factor):
    """Colours turned round the colour circle, by at most half of it."""
    if not -0.5 <= hue_factor <= 0.5:
        raise ValueError(f"hue_factor ({hue_factor}) is not in [-0.5, 0.5].")
    if isinstance(img, Tensor):
        return hue_turned(img, hue_factor)
    if img.mode in ("L", "1", "I", "F"):
        return img
    hue, saturation, brightness = img.convert("HSV").split()
    turned = np.array(hue, dtype=np.uint8) + np.int32(hue_factor * 255).astype(np.uint8)
    return Image.merge("HSV", (Image.fromarray(turned), saturation, brightness)).convert(img.mode)


@equivalent(V1 + "rotate", V2 + "rotate")
def rotate(img, angle, interpolation=InterpolationMode.NEAREST, expand=False, center=None, fill=None):
    """Turned counter-clockwise by degrees."""
    only_pil(img, "rotate")
    return img.rotate(angle, filter_of(interpolation), expand, center, fillcolor=filling(img, fill))


@equivalent(V1 + "invert", V2 + "invert")
def invert(img):
    """The negative."""
    if isinstance(img, Image.Image):
        return ImageOps.invert(img)
    pixels = img.asnumpy()
    return Tensor((1 if pixels.dtype.kind == "f" else np.iinfo(pixels.dtype).max) - pixels)


@equivalent(
    V1 + "erase", V2 + "erase",
    differs=[difference("the result is a new tensor: the input stays as it is", when="inplace", zh="返回新张量，输入不变")],
)
def erase(img, i, j, h, w, v, inplace=False):
    """A tensor image with `v` in the rectangle."""
    only = "erase of a PIL image: let it stand after ToTensor"
    if not isinstance(img, Tensor):
        raise TypeError(only)
    pixels = np.array(img.asnumpy())
    pixels[..., i : i + h, j : j + w] = v.asnumpy() if isinstance(v, Tensor) else v
    return Tensor(pixels)


@equivalent(V1 + "get_image_size", V2 + "get_image_size")
def get_image_size(img):
    """[width, height]."""
    height, width = height_and_width(img)
    return [width, height]


@equivalent(V1 + "get_dimensions", V2 + "get_dimensions")
def get_dimensions(img):
    """[channels, height, width]."""
    height, width = height_and_width(img)
    return [channels_of(img) if isinstance(img, Image.Image) else img.shape[-3] if img.ndim > 2 else 1, height, width]
