"""A model's modules and tensors as recorded in a process that has its framework."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec

from mindport.weights.array import WeightError


class Module(msgspec.Struct, frozen=True):
    """One module. `classes` are the qualified names of its class and the class's ancestors, nearest first."""

    path: str
    classes: list[str]


class Tensor(msgspec.Struct, frozen=True):
    """One parameter or persistent buffer.

    `path` is where it stands in the tree; `name` what the framework calls it in a checkpoint
    (in MindSpore fixed when the cell was put into its first parent, so the two may differ; a
    shared tensor has several paths and one name).
    """

    path: str
    name: str
    kind: Literal["parameter", "buffer"]
    shape: list[int]
    dtype: str
    trainable: bool = True


class Tree(msgspec.Struct, frozen=True):
    """All modules, outermost first, and all their tensors."""

    framework: Literal["torch", "mindspore"]
    modules: list[Module]
    tensors: list[Tensor]

    @classmethod
    def load(cls, path: Path) -> Tree:
        """Read a tree file. Raises `WeightError` with one sentence."""
        try:
            return msgspec.json.decode(path.read_bytes(), type=cls)
        except (OSError, msgspec.DecodeError) as error:
            raise WeightError(f"{path}: no module tree can be read from it: {error}") from error
