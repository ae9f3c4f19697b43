"""Arguments in, outputs out: decoding the job's values and naming the leaves of a structured result."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np


def decode(value: Any, tensor: Callable[[dict[str, Any]], Any], dtype: Callable[[str], Any]) -> Any:
    """A job's value with its tensors and dtypes made by the framework's functions."""
    if isinstance(value, list):
        return [decode(item, tensor, dtype) for item in value]
    if not isinstance(value, dict):
        return value
    kind = value["$"]
    if kind == "tensor":
        return tensor(value)
    if kind == "dtype":
        return dtype(value["dtype"])
    if kind == "tuple":
        return tuple(decode(item, tensor, dtype) for item in value["items"])
    return {key: decode(item, tensor, dtype) for key, item in value["items"].items()}


def leaves(value: Any, is_tensor: Callable[[Any], bool], name: str = "") -> list[tuple[str, Any]]:
    """The named leaves of a result, depth first: "0", "boxes.1", "output" for a lone one.

    Sequences are numbered, named tuples and data classes give their fields, dictionaries their
    keys; a list and a tuple of the same leaves are the same.
    """

    def below(items: Any) -> list[tuple[str, Any]]:
        found: list[tuple[str, Any]] = []
        for key, item in items:
            found += leaves(item, is_tensor, f"{name}.{key}" if name else str(key))
        return found

    if is_tensor(value):
        return [(name or "output", value)]
    if isinstance(value, Mapping):
        return below(value.items())
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return below(zip(value._fields, value, strict=True))
    if isinstance(value, list | tuple):
        return below(enumerate(value))
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return below((f.name, getattr(value, f.name)) for f in dataclasses.fields(value))
    return [(name or "output", value)]


class Recorder:
    """Collects one case's records: arrays under a role and a name, in the order of execution."""

    def __init__(self, is_tensor: Callable[[Any], bool], array: Callable[[Any], tuple[np.ndarray, str]]) -> None:
        self.is_tensor = is_tensor
        self.array = array
        self.records: list[dict[str, Any]] = []
        self.calls: dict[str, int] = {}

    def add(self, role: str, name: str, value: Any, kind: str = "") -> None:
        """Keep a copy of one leaf; what is no tensor is kept as text."""
        record: dict[str, Any] = {"role": role, "name": name, "class": kind}
        if self.is_tensor(value):
            record["array"], record["dtype"] = self.array(value)
        else:
            record["text"] = repr(value)
        self.records.append(record)

    def layer(self, path: str, kind: str, output: Any) -> None:
        """One call of a layer; further calls of the same layer are "path#2", "path#3"…"""
        count = self.calls[path] = self.calls.get(path, 0) + 1
        name = path if count == 1 else f"{path}#{count}"
        for leaf, value in leaves(output, self.is_tensor):
            if self.is_tensor(value):
                self.add("layer", name if leaf == "output" else f"{name}:{leaf}", value, kind)


def save(folder: str, answer: dict[str, Any], cases: list[dict[str, Any]]) -> None:
    """Write ``record.json`` and ``arrays.npz`` into `folder`; the JSON comes last, as the sign of success."""
    import json
    import os

    arrays: dict[str, np.ndarray] = {}
    for case in cases:
        for record in case.get("records", ()):
            if "array" in record:
                key = str(len(arrays))
                arrays[key] = record.pop("array")
                record["key"] = key
                record["shape"] = list(arrays[key].shape)
    np.savez(os.path.join(folder, "arrays.npz"), **arrays)  # type: ignore[arg-type]
    temporary = os.path.join(folder, ".record.json")
    with open(temporary, "w", encoding="utf-8") as stream:
        json.dump({**answer, "cases": cases}, stream)
    os.replace(temporary, os.path.join(folder, "record.json"))
