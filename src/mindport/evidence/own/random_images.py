"""Scenarios for torchvision's random transforms, which draw the same numbers on both sides, and for grids and files of images."""

from __future__ import annotations

import io
import random
from typing import Any

import numpy as np
import torch
from PIL import Image

from mindport.evidence.own.images import image, plain
from mindport.evidence.scenarios import Side, scenario

V1, V2 = "torchvision.transforms.", "torchvision.transforms.v2."
#: name → rows of (constructor's arguments, keywords)
CASES: dict[str, list[tuple[tuple[Any, ...], dict[str, Any]]]] = {
    "RandomHorizontalFlip": [((), {}), ((0.9,), {})], "RandomVerticalFlip": [((), {}), ((), {"p": 0.2})],
    "RandomGrayscale": [((), {}), ((0.7,), {})],
    "RandomCrop": [((8,), {}), (((9, 12),), {"padding": 4}), ((30,), {"pad_if_needed": True, "fill": 3}), ((20,), {"padding": [1, 5], "padding_mode": "reflect", "pad_if_needed": True})],
    "RandomResizedCrop": [((12,), {}), (((9, 14),), {"scale": (0.2, 0.5), "ratio": (0.9, 1.1)})],
    "ColorJitter": [((0.4, 0.4, 0.4, 0.1), {}), ((), {"brightness": (0.5, 0.9), "hue": 0.3})],
    "RandomRotation": [((30,), {}), (((-90, 10),), {"expand": True})],
    "RandomAffine": [((30,), {}), (((-9, 50),), {"translate": (0.1, 0.3), "scale": (0.7, 1.4), "shear": 10, "fill": 7}), ((0,), {"shear": (-5, 5, 1, 9), "center": (3, 5)})],
    "RandomPerspective": [((), {}), ((0.8,), {"p": 1.0, "fill": 9})],
    "RandomInvert": [((), {})], "RandomPosterize": [((3,), {})], "RandomSolarize": [((100,), {"p": 0.7})],
    "RandomAdjustSharpness": [((2.5,), {}), ((0,), {"p": 1.0})], "RandomAutocontrast": [((0.6,), {})], "RandomEqualize": [((), {})],
    "RandAugment": [((), {}), ((4, 12), {"fill": 7}), ((8,), {"num_magnitude_bins": 11, "interpolation": 2})],
    "TrivialAugmentWide": [((), {})] * 4 + [((7,), {"fill": 3})] * 3,
}  # fmt: skip
DRAWS = 6


def seeded(side: Side) -> None:
    """The same seed for both generators that the transforms draw from."""
    side.make("torch.manual_seed", 11)
    random.seed(11)


def several(side: Side, transform: Any, given: Any) -> list[Any]:
    """What a transform makes of one input, several times."""
    seeded(side)
    return [plain(transform(given)) for _ in range(DRAWS)]


@scenario(*(V1 + name for name in CASES), V2 + "RandomCrop")
def of_images(side: Side) -> Any:
    """Several draws after one seed, of colour and grey images"""
    rows = CASES[side.name.rpartition(".")[2]]
    return [several(side, side.call(*args, **kwargs), image(mode)) for args, kwargs in rows for mode in ("RGB", "L")]


@scenario(V1 + "AutoAugment")
def learned(side: Side) -> Any:
    """Each policy, many draws after one seed; a colour and another interpolation."""
    policies = [side.make(V1 + "AutoAugmentPolicy", text) for text in ("imagenet", "cifar10", "svhn")]
    transforms = [side.call(), *(side.call(policy) for policy in policies), side.call(policies[1], fill=7, interpolation=2)]
    seeded(side)
    return [plain(transform(image(mode))) for transform in transforms for _ in range(20) for mode in ("RGB", "L")]


@scenario(V1 + "RandomErasing")
def rectangles(side: Side) -> Any:
    """Always, half of the time, with numbers, with noise's shape."""
    x = side.value(torch.rand(3, 20, 24, generator=torch.Generator().manual_seed(0)))
    rows: list[dict[str, Any]] = [{"p": 1.0}, {}, {"p": 1.0, "scale": (0.3, 0.4), "ratio": (0.5, 2.0), "value": (0.1, 0.2, 0.3)}]
    return [several(side, side.call(**row), x) for row in rows]


@scenario(V1 + "RandomApply", V1 + "RandomChoice", V1 + "RandomOrder")
def of_transforms(side: Side) -> Any:
    """Transforms of transforms, several draws after one seed"""
    flips = [side.make(V1 + "RandomHorizontalFlip", 1.0), side.make(V1 + "CenterCrop", 12), side.make(V1 + "Pad", 2)]
    return several(side, side.call(flips), image())


WHOLE, REAL = torch.arange(60, dtype=torch.uint8).reshape(3, 4, 5) * 4, torch.rand(3, 4, 5, generator=torch.Generator().manual_seed(0))
CASTS = (V1 + "ConvertImageDtype", V1 + "functional.convert_image_dtype", V2 + "ToDtype", V2 + "functional.to_dtype")


def cast(side: Side, *pairs: tuple[torch.Tensor, torch.dtype]) -> list[Any]:
    """Tensors in other dtypes, whose whole range stands for [0, 1]."""
    scaled = {"scale": True} if side.name.startswith(V2) else {}
    found = []
    for x, dtype in pairs:
        given, wanted = side.value(x), side.value(dtype)
        found.append(side.call(given, wanted, **scaled) if side.name.rpartition(".")[2].islower() else side.call(wanted, **scaled)(given))
    return found


@scenario(*CASTS)
def dtypes(side: Side) -> Any:
    """Bytes to numbers and back."""
    return cast(side, (WHOLE, torch.float32), (REAL, torch.uint8), (WHOLE, torch.uint8), (REAL, torch.float32))


@scenario(*CASTS)
def wider(side: Side) -> Any:
    """Bytes to wider whole numbers."""
    return cast(side, (WHOLE, torch.int32))


@scenario(*CASTS)
def longer(side: Side) -> Any:
    """Numbers to longer ones."""
    return cast(side, (REAL, torch.float64))


@scenario(V2 + "ToPureTensor")
def passed_on(side: Side) -> Any:
    """A tensor stays what it is."""
    return side.call()(side.value(torch.arange(6.0)))


@scenario(V1 + "functional.erase")
def erased(side: Side) -> Any:
    """A number for each channel, one value."""
    x = torch.rand(3, 8, 9, generator=torch.Generator().manual_seed(0))
    return side.call(side.value(x), 1, 2, 3, 4, side.value(torch.tensor([0.1, 0.2, 0.3])[:, None, None])), side.call(side.value(x), 0, 0, 8, 2, side.value(torch.zeros(1)))


@scenario(V1 + "functional.get_image_size", V1 + "functional.get_dimensions")
def measured(side: Side) -> Any:
    """Images, tensors."""
    return [list(side.call(each)) for each in (image(), image("L"), side.value(torch.zeros(2, 3, 4, 5)), side.value(torch.zeros(4, 5)))]


def batch(*shape: int) -> torch.Tensor:
    """Images as numbers."""
    return torch.rand(shape, generator=torch.Generator().manual_seed(1)) * 3 - 1


@scenario(V1 + "ColorJitter")
def drawn_changes(side: Side) -> Any:
    """The order and the factors by themselves."""
    seeded(side)
    order, *factors = side.named(side.name).get_params((0.8, 1.2), None, (0.5, 2.0), (-0.1, 0.1))
    return [order, factors]


@scenario("torchvision.utils.make_grid")
def grids(side: Side) -> Any:
    """Numbers of images, of columns and of channels; stretched together, one by one, between bounds; a list."""
    found = [side.call(side.value(batch(*shape))) for shape in ((5, 3, 4, 6), (9, 1, 4, 4), (1, 3, 4, 4), (3, 4, 5), (4, 5))]
    for row in ({"nrow": 2}, {"padding": 0, "nrow": 3}, {"normalize": True}, {"normalize": True, "scale_each": True}, {"normalize": True, "value_range": (-0.5, 1.0)}, {"pad_value": 0.5}):
        found.append(side.call(side.value(batch(5, 3, 4, 6)), **row))
    return [*found, side.call([side.value(x) for x in batch(3, 3, 4, 4)])]


@scenario("torchvision.utils.save_image")
def saved(side: Side) -> Any:
    """The pixels of what is written."""
    found = []
    for row in ({}, {"nrow": 2, "normalize": True}):
        into = io.BytesIO()
        side.call(side.value(batch(5, 3, 4, 6)), into, format="png", **row)
        found.append(np.asarray(Image.open(io.BytesIO(into.getvalue()))).tolist())
    return found
