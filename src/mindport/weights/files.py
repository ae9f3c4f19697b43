"""Checkpoint files by suffix: what is in them, under one roof."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from mindport.weights.array import Array, WeightError
from mindport.weights.ckpt import read_ckpt, write_ckpt
from mindport.weights.safetensors_file import read_safetensors, write_safetensors
from mindport.weights.torch_read import read_torch
from mindport.weights.torch_write import write_torch

Framework = Literal["torch", "mindspore"]

#: Suffix → whose file it is; None where both frameworks write it.
SUFFIXES: dict[str, Framework | None] = {
    ".pth": "torch", ".pt": "torch", ".bin": "torch", ".ckpt": "mindspore", ".safetensors": None,
}
#: Where training scripts keep the state_dict, in the order of preference.
_NESTED = (
    "state_dict", "model_state_dict", "model", "module", "net", "network", "weights", "params",
    "model_ema", "ema", "ema_state_dict",
)


@dataclass(frozen=True)
class Checkpoint:
    """The arrays of one file, in its order; `notes` say how it was read, `framework` whose it is if known."""

    arrays: dict[str, Array]
    framework: Framework | None
    notes: list[str] = field(default_factory=list)


def suffix_framework(path: Path) -> Framework | None:
    """Whose file `path` is by its suffix, None for .safetensors. Raises `WeightError` for another suffix."""
    if path.suffix.lower() not in SUFFIXES:
        raise WeightError(f"{path.name}: the suffix must be one of {', '.join(SUFFIXES)}")
    return SUFFIXES[path.suffix.lower()]


def read(path: Path) -> Checkpoint:
    """Read a checkpoint of either framework. Raises `WeightError` with the file's name."""
    framework = suffix_framework(path)
    try:
        if framework == "torch":
            value, notes = read_torch(path)
            arrays, picked = select(value)
            return Checkpoint(arrays, framework, notes + picked)
        if framework == "mindspore":
            arrays, texts = read_ckpt(path)
            return Checkpoint(arrays, framework, [f"left out: the text {name!r}" for name in texts])
        arrays, metadata = read_safetensors(path)
        written: dict[str | None, Framework] = {"pt": "torch", "ms": "mindspore"}
        return Checkpoint(arrays, written.get(metadata.get("format")))
    except OSError as error:
        raise WeightError(f"{path}: {error.strerror or error}") from error
    except WeightError as error:
        raise WeightError(f"{path.name}: {error}") from error


def select(value: Any) -> tuple[dict[str, Array], list[str]]:
    """The state_dict inside a pickled object, and a note on where it stood.

    A dictionary of arrays is taken as it is; otherwise the first of the usual keys that
    holds one, otherwise the only key that does.
    """
    if not isinstance(value, dict):
        raise WeightError(f"the file holds a {type(value).__name__}, not a state_dict")
    if arrays := _arrays(value):
        return arrays, []
    inside = {key: found for key, item in value.items() if (found := _arrays(item))}
    usual = [key for key in _NESTED if key in inside]
    if not usual and len(inside) != 1:
        keys = ", ".join(map(repr, list(value)[:12])) or "none"
        raise WeightError(f"no state_dict was found, or several: the file's keys are {keys}")
    chosen = usual[0] if usual else next(iter(inside))
    notes = [f"taken from the key {chosen!r}"]
    if others := [key for key in inside if key != chosen]:
        notes.append(f"other state_dicts left alone: {', '.join(map(repr, others))}")
    return inside[chosen], notes


def _arrays(value: Any) -> dict[str, Array]:
    """`value` itself where it is a non-empty dictionary from names to arrays, else {}."""
    if not isinstance(value, dict) or not value:
        return {}
    good = all(isinstance(key, str) and isinstance(item, Array) for key, item in value.items())
    return value if good else {}


def write(path: Path, arrays: Mapping[str, Array], framework: Framework) -> None:
    """Write a checkpoint of `framework` beside `path`, then rename: a failure leaves no half file."""
    owner = suffix_framework(path)
    if owner not in (None, framework):
        raise WeightError(f"{path.name}: the suffix is {owner}'s, the content {framework}'s")
    temporary = None
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(handle, "wb") as stream:
            if owner == "torch":
                write_torch(stream, arrays)
            elif owner == "mindspore":
                write_ckpt(stream, arrays)
            else:
                write_safetensors(stream, arrays, {"format": "pt" if framework == "torch" else "ms"})
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
        temporary = None
    except OSError as error:
        raise WeightError(f"{path}: {error.strerror or error}") from error
    finally:
        if temporary:
            os.unlink(temporary)
