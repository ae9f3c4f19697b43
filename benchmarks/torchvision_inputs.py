"""What builders of torchvision.models are given: pictures, targets, the same random choices, and statistics that fit them."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np


def shift(model: Any, seed: int) -> None:
    """Move what normalisations give away from zero, up or down by channel, so that rounding flips hardly any relu.

    Hardswish bends at -3 and 3: there it stays around zero.
    """
    import torch

    if any(isinstance(module, torch.nn.Hardswish) for module in model.modules()):
        return

    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for module in model.modules():
            if isinstance(module, torch.nn.BatchNorm1d | torch.nn.BatchNorm2d | torch.nn.BatchNorm3d):
                drawn = torch.rand(module.bias.shape, generator=generator)
                module.bias.add_(torch.where(drawn < 0.25, -2.5, 2.5))


def picture(generator: np.random.Generator, shape: list[int]) -> np.ndarray:
    """Random patches of every size, as pictures have them.

    Of noise alone deep layers see the same everywhere: what normalisation then divides by is hardly more than rounding.
    """
    *leading, height, width = shape
    total = np.zeros(shape)
    cell = max(height, width)
    while cell >= 1:
        grid = generator.standard_normal((*leading, -(-height // cell), -(-width // cell)))
        total += grid.repeat(cell, -2).repeat(cell, -1)[..., :height, :width]
        cell //= 2
    return (total / 2).astype(np.float32)


def target(number: int, persons: bool) -> dict[str, np.ndarray]:
    """Two boxes on a picture of 64 pixels, with what any detector may want to know of them."""
    boxes = np.array([[8, 6 + number, 40, 44], [22, 4, 60, 30 + 8 * number]], np.float32)
    masks = np.zeros((2, 64, 64), np.uint8)
    for mask, (x1, y1, x2, y2) in zip(masks, boxes.astype(int), strict=True):
        mask[y1:y2, x1 + 2 : x2 - 3] = 1
    points = np.random.default_rng(number).uniform(0.05, 0.95, (2, 17, 2)) * (boxes[:, None, 2:] - boxes[:, None, :2]) + boxes[:, None, :2]
    keypoints = np.concatenate([points, np.ones((2, 17, 1))], 2).astype(np.float32)
    labels = np.array([1, 1] if persons else [1, 2 + number % 2], np.int64)
    return {"boxes": boxes, "labels": labels, **({"keypoints": keypoints} if persons else {"masks": masks})}


@contextlib.contextmanager
def permutations(holder: Any, make: Any) -> Any:
    """While this lasts, `holder.randperm` gives both frameworks the same permutations: samplers of boxes draw them."""
    generator, before = np.random.default_rng(0), holder.randperm
    holder.randperm = lambda n, *args, **kwargs: make(generator.permutation(n))
    try:
        yield
    finally:
        holder.randperm = before


def calibrate(model: Any, inputs: tuple[Any, ...]) -> None:
    """Give normalisations the statistics of these inputs: without, an untrained detector's scores are alike everywhere."""
    import torch

    model.eval()
    norms = [m for m in model.modules() if isinstance(m, torch.nn.BatchNorm1d | torch.nn.BatchNorm2d)]
    before = [m.momentum for m in norms]
    for norm in norms:
        norm.train()
        norm.momentum = None
        norm.reset_running_stats()
    with torch.no_grad():
        model(*inputs)
    for norm, momentum in zip(norms, before, strict=True):
        norm.momentum = momentum
    model.eval()
