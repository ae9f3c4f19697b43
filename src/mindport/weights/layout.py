"""The map between a model's torch names and its MindSpore names, as a file people can read and edit."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec

from mindport.weights.array import WeightError


class Entry(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where one torch tensor goes.

    `name` is MindSpore's checkpoint name, None where MindSpore keeps no counterpart; `path`
    its place in the tree where that differs. `shape` is torch's (None: not known);
    `insert_axis` the place of the length-1 axis that MindSpore's array has in addition.
    """

    name: str | None
    shape: list[int] | None = None
    insert_axis: int | None = None
    path: str | None = None
    kind: Literal["parameter", "buffer"] = "parameter"


class Layout(msgspec.Struct, frozen=True, omit_defaults=True):
    """`entries` by torch name; `mindspore_only` names parameters that torch does not have."""

    entries: dict[str, Entry]
    mindspore_only: list[str] = msgspec.field(default_factory=list)
    version: Literal[1] = msgspec.field(default=1, name="mindport_layout")

    @classmethod
    def load(cls, path: Path) -> Layout:
        """Read a layout file. Raises `WeightError` with one sentence."""
        try:
            return msgspec.json.decode(path.read_bytes(), type=cls)
        except (OSError, msgspec.DecodeError) as error:
            raise WeightError(f"{path}: no layout can be read from it: {error}") from error

    def save(self, path: Path) -> None:
        """Write the layout file, one entry a line group, in the model's order."""
        path.write_bytes(msgspec.json.format(msgspec.json.encode(self), indent=1) + b"\n")
