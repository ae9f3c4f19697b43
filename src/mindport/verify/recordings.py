"""Reads what a recorder wrote."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from mindport.verify.result import Role


class Record(msgspec.Struct):
    """One recorded leaf: an array's key, dtype and shape, or the text of what is no tensor."""

    role: Role
    name: str
    kind: str = msgspec.field(default="", name="class")
    key: str | None = None
    dtype: str | None = None
    shape: list[int] | None = None
    text: str | None = None
    rerun: float = 0.0
    oracle: float = 0.0
    values: Any = None  # np.ndarray | None: bfloat16 and float16 as float32


class CaseRecord(msgspec.Struct):
    """One case on one side; `error` where the call raised."""

    name: str
    error: dict[str, str] | None = None
    gradient_error: dict[str, str] | None = None
    records: list[Record] = msgspec.field(default_factory=list)


class Recording(msgspec.Struct):
    """One side's answer."""

    error: dict[str, str] | None
    seconds: float
    framework: str = ""
    model: bool = False
    notes: list[str] = msgspec.field(default_factory=list)
    cases: list[CaseRecord] = msgspec.field(default_factory=list)


def load(folder: Path) -> Recording | None:
    """The answer in `folder`, None where the process left none."""
    try:
        recording = msgspec.json.decode((folder / "record.json").read_bytes(), type=Recording)
        with np.load(folder / "arrays.npz", allow_pickle=False) as archive:
            for case in recording.cases:
                for record in case.records:
                    if record.key is not None:
                        record.values = _floats(archive[record.key], record.dtype)
        return recording
    except FileNotFoundError:
        return None


def _floats(array: np.ndarray, dtype: str | None) -> np.ndarray:
    if dtype == "bfloat16":
        return (array.astype(np.uint32) << 16).view(np.float32)
    return array.astype(np.float32) if dtype == "float16" else array
