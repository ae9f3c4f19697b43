"""Rectangles whose areas are in proportion to numbers, near to squares (Bruls, Huizing, van Wijk 2000)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Rectangle:
    """A place in the map; `index` is the number's place in the input."""

    index: int
    x: float
    y: float
    width: float
    height: float


def squarified(sizes: Sequence[float], width: float, height: float) -> list[Rectangle]:
    """The rectangles that tile ``width × height``; sizes that are zero or less get none."""
    order = sorted((i for i, size in enumerate(sizes) if size > 0), key=lambda i: -sizes[i])
    total = sum(sizes[i] for i in order)
    if not total:
        return []
    areas = {i: sizes[i] * width * height / total for i in order}
    placed: list[Rectangle] = []
    x = y = 0.0
    start = 0
    while start < len(order):
        side = min(width - x, height - y)
        end = start + 1
        while end < len(order) and _worst(order[start : end + 1], areas, side) <= _worst(order[start:end], areas, side):
            end += 1
        row = order[start:end]
        depth = sum(areas[i] for i in row) / side if side else 0.0
        at = 0.0
        upright = width - x >= height - y
        for i in row:
            length = areas[i] / depth if depth else 0.0
            placed.append(
                Rectangle(i, x, y + at, depth, length) if upright else Rectangle(i, x + at, y, length, depth)
            )
            at += length
        x, y = (x + depth, y) if upright else (x, y + depth)
        start = end
    return placed


def _worst(row: Sequence[int], areas: dict[int, float], side: float) -> float:
    """The largest ratio of sides in a row laid along `side`."""
    total = sum(areas[i] for i in row)
    if not total or not side:
        return float("inf")
    smallest, largest = areas[row[-1]], areas[row[0]]
    return max(side * side * largest / (total * total), total * total / (side * side * smallest))
