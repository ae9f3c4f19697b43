"""Random numbers that two frameworks share: each kind of draw, for each shape, has a NumPy generator of its own.

The frameworks' generators give different numbers for one seed, and a step that draws noise could never be compared.
With one stream a kind and shape, a draw that only one side makes does not shift the others.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np

_GENERATORS: dict[tuple[str, tuple[int, ...]], np.random.Generator] = {}


def generator(kind: str, shape: Sequence[int]) -> np.random.Generator:
    """The stream of this kind of draw ("uniform", "normal") and this shape.

    Axes of one element do not count: a number of no axis is drawn as one of a single axis by one side, as it is by the other.
    """
    key = (kind, tuple(int(n) for n in shape if int(n) != 1))
    if key not in _GENERATORS:
        _GENERATORS[key] = np.random.default_rng([zlib.crc32(kind.encode()), *key[1]])
    return _GENERATORS[key]


def uniform(kind: str, shape: Sequence[int]) -> np.ndarray:
    """Numbers in [0, 1), float32's, so that rounding does not depend on the side."""
    return generator(kind, shape).random(tuple(shape), dtype=np.float32)


def normal(kind: str, shape: Sequence[int]) -> np.ndarray:
    """Standard normal numbers, float32."""
    return generator(kind, shape).standard_normal(tuple(shape), dtype=np.float32)


def integers(kind: str, low: int, high: int, shape: Sequence[int]) -> np.ndarray:
    """Integers in [low, high), int64."""
    return generator(f"{kind} {low} {high}", shape).integers(low, high, tuple(shape))


def permutation(n: int) -> np.ndarray:
    """The numbers below `n` in a random order, int64."""
    return generator("permutation", (n,)).permutation(n)


def choices(weights: np.ndarray, number: int, replacement: bool) -> np.ndarray:
    """Places drawn in proportion to `weights` along the last axis, int64."""
    weights = np.asarray(weights, np.float64)
    rows = weights.reshape(-1, weights.shape[-1])
    drawn = generator("choices", (*rows.shape, number))
    found = np.stack([_one(row / row.sum(), number, replacement, drawn) for row in rows])
    return found.reshape(*weights.shape[:-1], number)


def _one(shares: np.ndarray, number: int, replacement: bool, drawn: np.random.Generator) -> np.ndarray:
    if replacement:
        return np.minimum(np.searchsorted(np.cumsum(shares), drawn.random(number), side="right"), len(shares) - 1)
    # Efraimidis and Spirakis: the largest of u ** (1 / w), without replacement.
    with np.errstate(divide="ignore"):
        keys = np.log(drawn.random(len(shares))) / np.where(shares > 0, shares, np.nan)
    return np.argsort(-np.where(np.isnan(keys), -np.inf, keys), kind="stable")[:number]
