"""torchvision's changes of tones of PIL images, given and by chance; five and ten crops as functions.

https://docs.pytorch.org/vision/0.28/transforms.html
"""

from PIL import Image, ImageEnhance, ImageOps

from mindport.declare import equivalent, layer
from mindport.equivalents.image_functional import channels_of, invert, only_pil
from mindport.equivalents.image_transforms import FiveCrop, TenCrop
from mindport.equivalents.random_image_transforms import by_chance

V1 = "torchvision.transforms.functional."


@equivalent(V1 + "posterize")
def posterize(img, bits):
    """Only so many leading bits of each channel are kept."""
    only_pil(img, "posterize")
    return ImageOps.posterize(img, bits)


@equivalent(V1 + "solarize")
def solarize(img, threshold):
    """Values from `threshold` on become their negative."""
    only_pil(img, "solarize")
    return ImageOps.solarize(img, threshold)


@equivalent(V1 + "autocontrast")
def autocontrast(img):
    """Each channel stretched from black to white."""
    only_pil(img, "autocontrast")
    return ImageOps.autocontrast(img)


@equivalent(V1 + "equalize")
def equalize(img):
    """Each channel's histogram made flat."""
    only_pil(img, "equalize")
    return ImageOps.equalize(img)


@equivalent(V1 + "adjust_sharpness")
def adjust_sharpness(img, sharpness_factor):
    """0 is blurred, 1 the image, 2 sharpened."""
    only_pil(img, "adjust_sharpness")
    return ImageEnhance.Sharpness(img).enhance(sharpness_factor)


@equivalent(V1 + "adjust_gamma")
def adjust_gamma(img, gamma, gain=1):
    """Each value v of [0, 1] as gain · v ** gamma."""
    only_pil(img, "adjust_gamma")
    if gamma < 0:
        raise ValueError("Gamma should be a non-negative real number")
    table = [int(255.999 * gain * (value / 255.0) ** gamma) for value in range(256)]
    return img.convert("RGB").point(table * 3).convert(img.mode)


@equivalent(V1 + "get_image_num_channels")
def get_image_num_channels(img):
    """The number of channels."""
    if isinstance(img, Image.Image):
        return channels_of(img)
    return img.shape[-3] if img.ndim > 2 else 1


@equivalent(V1 + "five_crop")
def five_crop(img, size):
    """The four corners and the centre."""
    return FiveCrop(size)(img)


@equivalent(V1 + "ten_crop")
def ten_crop(img, size, vertical_flip=False):
    """The five crops of the image, and of its mirror image."""
    return TenCrop(size, vertical_flip)(img)


@layer("torchvision.transforms.RandomInvert")
class RandomInvert:
    """The negative, with probability p."""

    def __init__(self, p=0.5):
        self.p = p

    def __call__(self, img):
        return invert(img) if by_chance(self.p) else img


@layer("torchvision.transforms.RandomPosterize")
class RandomPosterize:
    """Fewer bits, with probability p."""

    def __init__(self, bits, p=0.5):
        self.bits, self.p = bits, p

    def __call__(self, img):
        return posterize(img, self.bits) if by_chance(self.p) else img


@layer("torchvision.transforms.RandomSolarize")
class RandomSolarize:
    """Bright values negative, with probability p."""

    def __init__(self, threshold, p=0.5):
        self.threshold, self.p = threshold, p

    def __call__(self, img):
        return solarize(img, self.threshold) if by_chance(self.p) else img


@layer("torchvision.transforms.RandomAdjustSharpness")
class RandomAdjustSharpness:
    """Another sharpness, with probability p."""

    def __init__(self, sharpness_factor, p=0.5):
        self.sharpness_factor, self.p = sharpness_factor, p

    def __call__(self, img):
        return adjust_sharpness(img, self.sharpness_factor) if by_chance(self.p) else img


@layer("torchvision.transforms.RandomAutocontrast")
class RandomAutocontrast:
    """Stretched contrast, with probability p."""

    def __init__(self, p=0.5):
        self.p = p

    def __call__(self, img):
        return autocontrast(img) if by_chance(self.p) else img


@layer("torchvision.transforms.RandomEqualize")
class RandomEqualize:
    """A flat histogram, with probability p."""

    def __init__(self, p=0.5):
        self.p = p

    def __call__(self, img):
        return equalize(img) if by_chance(self.p) else img
