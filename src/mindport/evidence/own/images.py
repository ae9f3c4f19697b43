"""Scenarios for torchvision's transforms: pixels and tensors of images that NumPy makes."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from PIL import Image

from mindport.evidence.scenarios import Side, scenario


def image(mode: str = "RGB", seed: int = 0, size: tuple[int, int] = (23, 17)) -> Image.Image:
    """Random pixels of every value; `size` is (height, width)."""
    channels = {"RGB": (3,), "L": (), "RGBA": (4,)}[mode]
    return Image.fromarray(np.random.default_rng(seed).integers(0, 256, (*size, *channels), dtype=np.uint8), mode)


def plain(value: Any) -> Any:
    """Images and tensors as arrays, sequences inside."""
    if isinstance(value, Image.Image):
        return value.mode, np.asarray(value).tolist()
    if isinstance(value, torch.Tensor):
        return str(value.dtype), value.tolist()
    if hasattr(value, "asnumpy"):
        return f"torch.{str(value.dtype).lower()}", value.asnumpy().tolist()
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value


FUNCTIONS: dict[str, list[tuple[tuple[Any, ...], dict[str, Any]]]] = {
    "to_tensor": [((), {})], "pil_to_tensor": [((), {})], "hflip": [((), {})], "vflip": [((), {})], "invert": [((), {})],
    "resize": [((16,), {}), (([9, 31],), {}), ((40,), {})], "crop": [((2, 3, 8, 9), {}), ((-2, -1, 12, 12), {})],
    "center_crop": [((10,), {}), (([30, 8],), {})], "resized_crop": [((1, 2, 12, 9, [8, 8]), {})],
    "pad": [((3,), {}), (([1, 2, 3, 4],), {"fill": 7}), (((2, 1),), {"padding_mode": "reflect"})],
    "adjust_brightness": [((1.3,), {}), ((0.0,), {})], "adjust_contrast": [((0.4,), {})], "adjust_saturation": [((1.7,), {})],
    "adjust_hue": [((0.2,), {}), ((-0.5,), {})], "adjust_gamma": [((0.7,), {}), ((2.0,), {"gain": 0.8})],
    "rotate": [((30,), {}), ((90,), {"expand": True})], "equalize": [((), {})], "autocontrast": [((), {})],
    "posterize": [((3,), {})], "solarize": [((100,), {})], "adjust_sharpness": [((1.8,), {})], "rgb_to_grayscale": [((), {}), ((3,), {})],
    "to_grayscale": [((), {}), ((3,), {})], "get_image_num_channels": [((), {})],
    "affine": [((30, (2, -3), 1.2, 5), {}), ((-10.5, [0, 0], 0.7, [3.0, -8.0]), {"center": [4, 5], "fill": 9}), ((12, (1, 1), 1.0, (2, 3)), {"interpolation": 2})],
    "perspective": [(([[0, 0], [16, 0], [16, 22], [0, 22]], [[2, 1], [13, 3], [15, 20], [1, 19]]), {}), (([[0, 0], [16, 0], [16, 22], [0, 22]], [[-2, 1], [13, 3], [15, 20], [1, 19]]), {"interpolation": 0, "fill": 5})],
    "five_crop": [((8,), {}), (((7, 9),), {})], "ten_crop": [((8,), {}), (([7, 9],), {"vertical_flip": True})],
}  # fmt: skip

CLASSES: dict[str, list[tuple[Any, ...]]] = {
    "ToTensor": [()], "PILToTensor": [()], "Resize": [(16,), ((9, 31),)], "CenterCrop": [(10,), ((30, 8),)], "Pad": [(2,)],
    "Grayscale": [(), (3,)], "FiveCrop": [(8,)], "TenCrop": [(8,)],
}


@scenario(*(f"torchvision.transforms.functional.{name}" for name in FUNCTIONS))
def functions(side: Side) -> Any:
    """colour and grey images"""
    found = []
    for args, kwargs in FUNCTIONS[side.name.rpartition(".")[2]]:
        found.append(plain(side.call(image(), *args, **kwargs)))
        if not side.name.endswith(("adjust_hue", "adjust_saturation", "rgb_to_grayscale")):
            found.append(plain(side.call(image("L", 1), *args, **kwargs)))
    return found


@scenario(*(f"torchvision.transforms.{name}" for name in CLASSES))
def classes(side: Side) -> Any:
    """colour images"""
    return [plain(side.call(*args)(image())) for args in CLASSES[side.name.rpartition(".")[2]]]


@scenario("torchvision.transforms.Compose")
def composed(side: Side) -> Any:
    """a tensor at the end"""
    steps = [side.make("torchvision.transforms.Resize", 12), side.make("torchvision.transforms.ToTensor"),
             side.make("torchvision.transforms.Normalize", [0.5, 0.4, 0.3], [0.2, 0.3, 0.4])]  # fmt: skip
    return np.round(np.asarray(plain(side.call(steps)(image()))[1]), 5).tolist()


@scenario("torchvision.transforms.Normalize")
def normalised(side: Side) -> Any:
    """a float tensor"""
    made = side.call([0.5, 0.4, 0.3], [0.2, 0.3, 0.4])(side.value(torch.rand(3, 4, 5, generator=torch.Generator().manual_seed(0))))
    return np.round(np.asarray(plain(made)[1]), 5).tolist()


@scenario("torchvision.transforms.functional.normalize")
def normalised_by_function(side: Side) -> Any:
    """a float tensor"""
    made = side.call(side.value(torch.rand(3, 4, 5, generator=torch.Generator().manual_seed(0))), [0.5, 0.4, 0.3], [0.2, 0.3, 0.4])
    return np.round(np.asarray(plain(made)[1]), 5).tolist()


@scenario("torchvision.transforms.ToPILImage", "torchvision.transforms.functional.to_pil_image")
def to_image(side: Side) -> Any:
    """tensors of bytes and of floats"""
    found = []
    for tensor in (torch.arange(60, dtype=torch.uint8).reshape(3, 4, 5), torch.rand(1, 4, 5, generator=torch.Generator().manual_seed(0))):
        call = side.call() if side.name.endswith("ToPILImage") else side.call
        found.append(plain(call(side.value(tensor))))
    return found


@scenario("torchvision.transforms.Lambda")
def function_of_the_user(side: Side) -> Any:
    """a rotation by Pillow"""
    return plain(side.call(lambda picture: picture.rotate(90))(image()))
