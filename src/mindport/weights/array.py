"""An array as both frameworks store it: a dtype's name, a shape, and bytes.

numpy has no bfloat16, and a checkpoint must come out bit for bit as it went in, so the
values are never interpreted here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

#: dtype name → bytes per element; the names are torch's without "torch." and numpy's where it has the dtype.
ITEMSIZE: dict[str, int] = {
    "bool": 1, "int8": 1, "uint8": 1, "int16": 2, "uint16": 2, "int32": 4, "uint32": 4, "int64": 8,
    "uint64": 8, "float16": 2, "bfloat16": 2, "float32": 4, "float64": 8, "complex64": 8, "complex128": 16,
}


class WeightError(ValueError):
    """A checkpoint or layout that cannot be used; the message is for the user."""


@dataclass(frozen=True, eq=False)
class Array:
    """`data` holds ``prod(shape)`` little-endian elements of `dtype` in C order."""

    dtype: str
    shape: tuple[int, ...]
    data: bytes | memoryview

    def __post_init__(self) -> None:
        if self.dtype not in ITEMSIZE:
            raise WeightError(f"the dtype {self.dtype!r} is not supported")
        expected = math.prod(self.shape) * ITEMSIZE[self.dtype]
        if len(self.data) != expected:
            raise WeightError(
                f"an array of {self.dtype}{list(self.shape)} needs {expected} bytes, not {len(self.data)}"
            )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Array):
            return NotImplemented
        return self.dtype == other.dtype and self.shape == other.shape and self.data == other.data

    __hash__ = None  # type: ignore[assignment]

    def reshape(self, shape: tuple[int, ...]) -> Array:
        """The same bytes under another shape."""
        return Array(self.dtype, shape, self.data)

    def numpy(self) -> Any:
        """A numpy view; bfloat16 as uint16, its bits."""
        code = "uint16" if self.dtype == "bfloat16" else self.dtype
        return np.frombuffer(self.data, np.dtype(code).newbyteorder("<")).reshape(self.shape)

    @classmethod
    def of(cls, values: Any, dtype: str | None = None) -> Array:
        """From a numpy array; `dtype` names what its bits are where numpy cannot ("bfloat16")."""
        values = np.asarray(values)
        contiguous = np.ascontiguousarray(values).reshape(values.shape)
        little = contiguous.astype(contiguous.dtype.newbyteorder("<"), copy=False)
        return cls(dtype or values.dtype.name, values.shape, little.tobytes())
