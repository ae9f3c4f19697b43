"""Numbers that two processes draw alike, for the programs of docstring_examples.py: `seed` tells places apart."""

from __future__ import annotations

from typing import Any

import numpy as np


def _size(size: tuple[Any, ...]) -> tuple[int, ...]:
    """``2, 3`` or ``(2, 3)`` or a tensor's shape."""
    if len(size) == 1 and not isinstance(size[0], (int, np.integer)):
        return tuple(int(s) for s in size[0])
    return tuple(int(s) for s in size)


def normal(seed: int, *size: Any) -> np.ndarray:
    """Standard normal float32 numbers."""
    return np.asarray(np.random.default_rng(seed).standard_normal(_size(size)), np.float32)


def uniform(seed: int, *size: Any) -> np.ndarray:
    """float32 numbers of [0, 1)."""
    return np.asarray(np.random.default_rng(seed).random(_size(size)), np.float32)


def complex_normal(seed: int, *size: Any) -> np.ndarray:
    """complex64 numbers with standard normal parts."""
    generator = np.random.default_rng(seed)
    return np.asarray(generator.standard_normal(_size(size)) + 1j * generator.standard_normal(_size(size)), np.complex64)


def integers(seed: int, low: int, high: int, size: Any) -> np.ndarray:
    """int64 numbers of [low, high)."""
    return np.asarray(np.random.default_rng(seed).integers(low, high, _size((size,))), np.int64)


def permutation(seed: int, count: int) -> np.ndarray:
    """The numbers below `count` in some order, int64."""
    return np.random.default_rng(seed).permutation(count).astype(np.int64)
