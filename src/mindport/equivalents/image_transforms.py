"""torchvision's transforms that draw nothing: each is called with an image and gives an image.

https://docs.pytorch.org/vision/0.28/transforms.html. The names of ``transforms.v2`` take one image, not several inputs.
"""

import mindspore as ms
from mindspore import Tensor

from mindport.declare import difference, layer
from mindport.equivalents.image_functional import (
    InterpolationMode,
    center_crop,
    convert_image_dtype,
    crop,
    height_and_width,
    hflip,
    normalize,
    pad,
    pair,
    pil_to_tensor,
    resize,
    rgb_to_grayscale,
    to_dtype,
    to_pil_image,
    to_tensor,
    vflip,
)

NEW = [difference("the result is a new tensor: the input stays as it is", when="inplace", zh="返回新张量，输入不变")]


@layer("torchvision.transforms.Compose", "torchvision.transforms.v2.Compose")
class Compose:
    """Transforms one after the other."""

    def __init__(self, transforms):
        self.transforms = transforms

    def __call__(self, img):
        for transform in self.transforms:
            img = transform(img)
        return img


@layer("torchvision.transforms.ToTensor", "torchvision.transforms.v2.ToTensor")
class ToTensor:
    """An image (height, width, channels) as a tensor (channels, height, width); bytes become float32 in [0, 1]."""

    def __call__(self, pic):
        return pic if isinstance(pic, Tensor) else to_tensor(pic)


@layer("torchvision.transforms.PILToTensor", "torchvision.transforms.v2.PILToTensor", "torchvision.transforms.v2.ToImage")
class PILToTensor:
    """An image as a tensor (channels, height, width) of its own dtype."""

    def __call__(self, pic):
        return pil_to_tensor(pic)


@layer("torchvision.transforms.v2.ToPureTensor", "torchvision.transforms.v2.Identity")
class Identity:
    """The image as it is."""

    def __call__(self, img):
        return img


@layer("torchvision.transforms.ToPILImage", "torchvision.transforms.v2.ToPILImage")
class ToPILImage:
    """A tensor (channels, height, width) or an array (height, width, channels) as a PIL image."""

    def __init__(self, mode=None):
        self.mode = mode

    def __call__(self, pic):
        return to_pil_image(pic, self.mode)


@layer("torchvision.transforms.ConvertImageDtype")
class ConvertImageDtype:
    """Another dtype, whose whole range stands for [0, 1]."""

    def __init__(self, dtype=ms.float32):
        self.dtype = dtype

    def __call__(self, image):
        return convert_image_dtype(image, self.dtype)


@layer("torchvision.transforms.v2.ToDtype")
class ToDtype:
    """Another dtype; with `scale` the dtype's whole range stands for [0, 1]."""

    def __init__(self, dtype, scale=False):
        if isinstance(dtype, dict):
            raise NotImplementedError("ToDtype with one dtype for each kind of input: give the image's dtype")
        self.dtype = dtype
        self.scale = scale

    def __call__(self, image):
        return to_dtype(image, self.dtype, self.scale) if isinstance(image, Tensor) else image


@layer("torchvision.transforms.Normalize", "torchvision.transforms.v2.Normalize", differs=NEW)
class Normalize:
    """(tensor - mean) / std, channel by channel."""

    def __init__(self, mean, std, inplace=False):
        self.mean = mean
        self.std = std
        self.inplace = inplace

    def __call__(self, tensor):
        return normalize(tensor, self.mean, self.std)


@layer("torchvision.transforms.Resize", "torchvision.transforms.v2.Resize")
class Resize:
    """Another size; one number is the shorter side's, and the other side follows."""

    def __init__(self, size, interpolation=InterpolationMode.BILINEAR, max_size=None, antialias=True):
        self.size = size
        self.interpolation = interpolation
        self.max_size = max_size
        self.antialias = antialias

    def __call__(self, img):
        return resize(img, self.size, self.interpolation, self.max_size, self.antialias)


@layer("torchvision.transforms.CenterCrop", "torchvision.transforms.v2.CenterCrop")
class CenterCrop:
    """The middle of the image; where it is too small, zeros around it."""

    def __init__(self, size):
        self.size = pair(size)

    def __call__(self, img):
        return center_crop(img, self.size)


@layer("torchvision.transforms.Pad", "torchvision.transforms.v2.Pad")
class Pad:
    """Pixels around the image: of one colour, or the image's own."""

    def __init__(self, padding, fill=0, padding_mode="constant"):
        self.padding = padding
        self.fill = fill
        self.padding_mode = padding_mode

    def __call__(self, img):
        return pad(img, self.padding, self.fill, self.padding_mode)


@layer("torchvision.transforms.Grayscale", "torchvision.transforms.v2.Grayscale")
class Grayscale:
    """Luminance, in one channel or in three alike."""

    def __init__(self, num_output_channels=1):
        self.num_output_channels = num_output_channels

    def __call__(self, img):
        return rgb_to_grayscale(img, self.num_output_channels)


@layer("torchvision.transforms.Lambda")
class Lambda:
    """A function as a transform."""

    def __init__(self, lambd):
        if not callable(lambd):
            raise TypeError(f"Argument lambd should be callable, got {type(lambd).__name__!r}")
        self.lambd = lambd

    def __call__(self, img):
        return self.lambd(img)


@layer("torchvision.transforms.FiveCrop", "torchvision.transforms.v2.FiveCrop")
class FiveCrop:
    """The four corners and the middle."""

    def __init__(self, size):
        self.size = pair(size)

    def __call__(self, img):
        rows, columns = height_and_width(img)
        height, width = self.size
        if width > columns or height > rows:
            raise ValueError(f"Requested crop size {self.size} is bigger than input size {(rows, columns)}")
        corners = ((0, 0), (0, columns - width), (rows - height, 0), (rows - height, columns - width))
        return (*(crop(img, top, left, height, width) for top, left in corners), center_crop(img, self.size))


@layer("torchvision.transforms.TenCrop", "torchvision.transforms.v2.TenCrop")
class TenCrop:
    """The four corners and the middle, and those of the mirrored image."""

    def __init__(self, size, vertical_flip=False):
        self.five = FiveCrop(size)
        self.mirror = vflip if vertical_flip else hflip

    def __call__(self, img):
        return self.five(img) + self.five(self.mirror(img))
