"""torchvision.io: images of files and of encoded bytes, as uint8 tensors (channels, height, width).

Read and written by PIL, whose decoders are those that torchvision is built with (libjpeg-turbo, libpng); another build of
libjpeg may differ by 1 in a pixel. https://docs.pytorch.org/vision/0.28/io.html
"""

import io
from enum import Enum

import mindspore as ms
import numpy as np
from mindspore import Tensor
from PIL import Image, ImageOps

from mindport.declare import Refused, difference, equivalent, layer

DECODER = difference(
    "PIL's decoder reads the file: a JPEG may differ by 1 in a pixel where its libjpeg is another build", risk="loud",
    zh="由 PIL 解码：libjpeg 版本不同时 JPEG 像素可能相差 1",
)  # fmt: skip


@layer("torchvision.io.ImageReadMode", "torchvision.io.image.ImageReadMode")
class ImageReadMode(Enum):
    """Which channels an image is read with."""

    UNCHANGED = 0
    GRAY = 1
    GRAY_ALPHA = 2
    RGB = 3
    RGB_ALPHA = 4


#: PIL's names of the same.
PIL_MODES = {"GRAY": "L", "GRAY_ALPHA": "LA", "RGB": "RGB", "RGBA": "RGBA", "RGB_ALPHA": "RGBA"}


@equivalent("torchvision.get_image_backend")
def get_image_backend():
    """The package that opens images: PIL here, torchvision's own choice, too, unless accimage is set."""
    return "PIL"


def pixels(file, mode, apply_exif_orientation):
    """The image in a file, as a tensor."""
    image = Image.open(file)
    if apply_exif_orientation:
        image = ImageOps.exif_transpose(image)
    name = mode if isinstance(mode, str) else ImageReadMode(mode.value).name
    if name in PIL_MODES:
        image = image.convert(PIL_MODES[name])
    elif image.mode in ("P", "1"):
        image = image.convert("RGB" if image.mode == "P" else "L")
    array = np.asarray(image)
    if array.dtype != np.uint8:
        raise Refused(f"images of {array.dtype} are not read: 8 bits a channel alone")
    return Tensor(np.ascontiguousarray(array[None] if array.ndim == 2 else array.transpose(2, 0, 1)))


@equivalent("torchvision.io.read_image", "torchvision.io.image.read_image", differs=[DECODER])
def read_image(path, mode=ImageReadMode.UNCHANGED, apply_exif_orientation=False):
    """The image of a JPEG, PNG, GIF or WebP file. https://docs.pytorch.org/vision/0.28/generated/torchvision.io.read_image.html"""
    return pixels(path, mode, apply_exif_orientation)


@equivalent(
    "torchvision.io.decode_image", "torchvision.io.image.decode_image", "torchvision.io.decode_jpeg", "torchvision.io.decode_png",
    differs=[DECODER],
)  # fmt: skip
def decode_image(input, mode=ImageReadMode.UNCHANGED, apply_exif_orientation=False):
    """The image of a path, or of a uint8 tensor that holds a file's bytes."""
    file = input if isinstance(input, str) else io.BytesIO(input.asnumpy().tobytes())
    return pixels(file, mode, apply_exif_orientation)


@equivalent("torchvision.io.read_file", "torchvision.io.image.read_file")
def read_file(path):
    """A file's bytes as a uint8 tensor of one axis."""
    with open(path, "rb") as file:
        return Tensor(np.frombuffer(file.read(), np.uint8).copy())


@equivalent("torchvision.io.write_file", "torchvision.io.image.write_file")
def write_file(filename, data):
    """Writes the bytes that a uint8 tensor of one axis holds."""
    with open(filename, "wb") as file:
        file.write(data.asnumpy().tobytes())


def as_image(input):
    """A PIL image of a uint8 tensor (1 or 3, height, width)."""
    if input.dtype != ms.uint8 or input.ndim != 3 or input.shape[0] not in (1, 3):
        raise ValueError(f"an image is a uint8 tensor of 1 or 3 channels, got {input.dtype} of shape {input.shape}")
    array = input.asnumpy()
    return Image.fromarray(array[0] if array.shape[0] == 1 else np.ascontiguousarray(array.transpose(1, 2, 0)))


@equivalent("torchvision.io.write_png", "torchvision.io.image.write_png")
def write_png(input, filename, compression_level=6):
    """Writes an image losslessly. https://docs.pytorch.org/vision/0.28/generated/torchvision.io.write_png.html"""
    as_image(input).save(filename, "PNG", compress_level=compression_level)


@equivalent(
    "torchvision.io.write_jpeg", "torchvision.io.image.write_jpeg",
    differs=[difference("PIL's encoder writes the file: pixels read back may differ by some units", risk="loud", zh="由 PIL 编码：读回的像素可能略有不同")],
)  # fmt: skip
def write_jpeg(input, filename, quality=75):
    """Writes an image at a quality of 1 to 100."""
    as_image(input).save(filename, "JPEG", quality=quality)
