"""Turns a spec's arguments into what the recorders decode: JSON, with arrays in one .npz."""

from __future__ import annotations

import ast
import math
from pathlib import Path
from typing import Any

import numpy as np

from mindport.verify.spec import Spec, SpecError, resolve

_FLOATS = ("float16", "bfloat16", "float32", "float64")
_INTEGERS = ("int8", "uint8", "int16", "int32", "int64")
_TENSOR_KEYS = {"tensor", "dtype", "low", "high"}


class Arguments:
    """Collects the arrays of all cases under keys; `encode` gives the JSON that refers to them."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.arrays: dict[str, np.ndarray] = {}

    def save(self, path: Path) -> None:
        """Write the arrays that the encoded arguments refer to."""
        np.savez(path, **self.arrays)  # type: ignore[arg-type]

    def encode(self, value: Any, where: str) -> Any:
        """`value` of the spec as the recorders read it; `where` is "case 'x': args[0]". Raises `SpecError` with it."""
        if isinstance(value, list):
            return [self.encode(item, f"{where}[{i}]") for i, item in enumerate(value)]
        if not isinstance(value, dict):
            return value
        keys = set(value)
        if "tensor" in keys and keys <= _TENSOR_KEYS:
            return self._random(value, where)
        if "npz" in keys and keys <= {"npz", "key", "dtype"}:
            return self._stored(value, where)
        if keys == {"dtype"}:
            return {"$": "dtype", "dtype": value["dtype"]}
        if keys == {"tuple"} and isinstance(value["tuple"], list):
            return {"$": "tuple", "items": self.encode(value["tuple"], where)}
        if keys == {"literal"}:
            return self._literal(value["literal"], where)
        if keys == {"dict"} and isinstance(value["dict"], dict):
            value = value["dict"]
        return {"$": "dict", "items": {key: self.encode(item, f"{where}.{key}") for key, item in value.items()}}

    def _add(self, array: np.ndarray, dtype: str, where: str) -> dict[str, Any]:
        key = str(len(self.arrays))
        self.arrays[key] = array
        return {"$": "tensor", "key": key, "dtype": dtype, "name": where.rpartition(": ")[2]}

    def _random(self, value: dict[str, Any], where: str) -> dict[str, Any]:
        shape, dtype = value["tensor"], value.get("dtype", "float32")
        if not isinstance(shape, list) or not all(type(n) is int and n >= 0 for n in shape):
            raise SpecError(f"{where}: the tensor's shape {shape!r} is no list of lengths")
        low, high = value.get("low"), value.get("high")
        # One generator per tensor: adding an argument leaves the others' values alone.
        rng = np.random.default_rng([self.spec.seed, len(self.arrays)])
        if dtype in _FLOATS:
            if low is None and high is None:
                drawn = rng.standard_normal(shape)
            else:
                low, high = (0.0 if low is None else low), (1.0 if high is None else high)
                drawn = rng.random(shape) * (high - low) + low
            return self._add(np.asarray(drawn, "float32" if dtype == "bfloat16" else dtype), dtype, where)
        if dtype == "bool":
            return self._add(rng.integers(0, 2, shape).astype(bool), dtype, where)
        if dtype not in _INTEGERS:
            raise SpecError(f"{where}: the dtype {dtype!r} is none of {', '.join((*_FLOATS, *_INTEGERS, 'bool'))}")
        if high is None or not math.floor(low or 0) < high:
            raise SpecError(f"{where}: a tensor of integers needs \"high\" (exclusive), above \"low\"")
        return self._add(rng.integers(low or 0, high, shape).astype(dtype), dtype, where)

    def _stored(self, value: dict[str, Any], where: str) -> dict[str, Any]:
        path = resolve(self.spec, str(value["npz"]))
        try:
            with np.load(path, allow_pickle=False) as archive:
                key = value.get("key", archive.files[0] if archive.files else "")
                if key not in archive.files:
                    raise SpecError(f"{where}: {path.name} has no array {key!r}, only {', '.join(archive.files)}")
                array = archive[key]
        except SpecError:
            raise
        except (OSError, ValueError, AttributeError) as error:
            raise SpecError(f"{where}: {path} cannot be read as .npz: {error}") from error
        return self._add(array, value.get("dtype", array.dtype.name), where)

    def _literal(self, text: Any, where: str) -> Any:
        try:
            return _plain(ast.literal_eval(str(text)))
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError) as error:
            raise SpecError(f"{where}: {text!r} is no Python literal: {error}") from error


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return {"$": "tuple", "items": [_plain(item) for item in value]}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return {"$": "dict", "items": {key: _plain(item) for key, item in value.items()}}
    if value is None or isinstance(value, bool | int | float | str):
        return value
    raise ValueError(f"a {type(value).__name__} is not supported")
