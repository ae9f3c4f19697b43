"""Scenarios of torchvision's Gaussian blur: images and tensors, sizes, widths, the widths that are drawn, what raises."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from mindport.evidence.own.images import image
from mindport.evidence.own.random_images import seeded
from mindport.evidence.scenarios import Side, scenario

FUNCTIONS = ("torchvision.transforms.functional.gaussian_blur", "torchvision.transforms.v2.functional.gaussian_blur")
CLASSES = ("torchvision.transforms.GaussianBlur", "torchvision.transforms.v2.GaussianBlur")
ROWS: list[tuple[Any, ...]] = [(3,), ([5, 3],), ((3, 7), 0.8), (9, [1.5, 0.4]), (5, (2.0,)), (1,)]


def near(made: Any) -> list[Any]:
    """An image's mode, size and pixels in steps of four: a pixel whose value is halfway between two differs by one."""
    pixels = np.asarray(made).astype(np.float64)
    return [made.mode, list(made.size), torch.tensor(pixels.reshape(-1, 8).mean(-1) if pixels.size % 8 == 0 else pixels).round(decimals=0).tolist()[:1], float(pixels.mean().round(1))]


@scenario(*FUNCTIONS)
def numbers(side: Side) -> Any:
    """Tensors of numbers: values and gradients."""
    found: list[Any] = []
    for shape in ((3, 9, 11), (2, 1, 8, 9)):
        x = torch.rand(shape, generator=torch.Generator().manual_seed(2)) * 3 - 1
        for row in ROWS:
            found.append(side.call(side.value(x), *row))
            found.append(side.gradients(lambda given, row=row: side.call(given, *row).square(), x))
    return found


@scenario(*FUNCTIONS)
def bytes_and_images(side: Side) -> Any:
    """Whole numbers, colour and grey images."""
    x = torch.randint(0, 256, (3, 9, 11), dtype=torch.uint8, generator=torch.Generator().manual_seed(3))
    found: list[Any] = [side.call(side.value(x), *row) for row in ROWS if row[0] != 9]  # there one of 297 pixels is 146.49999 in float64, 146.50002 in float32
    return found + [near(side.call(image(mode), *row)) for mode in ("RGB", "L") for row in ROWS]


@scenario(*FUNCTIONS)
def wrong(side: Side) -> Any:
    """Even sizes, widths of zero, three sizes, a kernel wider than the image."""
    x, found = torch.rand(3, 5, 5), []
    for row in ((4,), (3, 0.0), ([3, 3, 3],), (3, [1.0, 1.0, 1.0]), (11,)):
        try:
            side.call(side.value(x), *row)
        except (ValueError, RuntimeError) as error:
            found.append(type(error).__name__)
    return found


@scenario(*CLASSES)
def drawn_widths(side: Side) -> Any:
    """A fixed width, drawn ones: several after one seed."""
    x, found = torch.rand(3, 12, 10, generator=torch.Generator().manual_seed(4)), []
    for row in ((3, 1.0), (5,), ((3, 7), (0.5, 3.0))):
        made = side.call(*row)
        seeded(side)
        found += [made(side.value(x)) for _ in range(3)] + [near(made(image()))]
    return found


@scenario(*CLASSES)
def wrong_classes(side: Side) -> Any:
    """Even sizes, negative widths, bounds the other way round."""
    found = []
    for row in ((4,), (0,), (3, -1.0), (3, (2.0, 1.0))):
        try:
            side.call(*row)
        except ValueError as error:
            found.append(type(error).__name__)
    return found
