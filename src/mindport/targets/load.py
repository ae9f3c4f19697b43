"""Reads the table of one MindSpore version. Needs no MindSpore."""

from __future__ import annotations

import gzip
from functools import lru_cache
from pathlib import Path

import msgspec

DATA = Path(__file__).parent / "data"


class Param(msgspec.Struct, frozen=True, omit_defaults=True, array_like=True):
    """One parameter; `kind` as `inspect` names it, `default_text` as source text, None where there is none."""

    name: str
    kind: str = "POSITIONAL_OR_KEYWORD"
    default_text: str | None = None


class TargetApi(msgspec.Struct, frozen=True, omit_defaults=True):
    """One name of MindSpore. `parameters` is None where no signature is known.

    `platforms` are those that the documentation names ("Ascend", "GPU", "CPU"), None where it names none.
    `source` tells where the signature is from: Python itself ("inspect"), the class's source ("source"), the
    docstring's first line ("docstring") or its list of arguments ("arguments"). `overloads` are the signatures that
    the documentation shows beside that one.
    """

    name: str
    kind: str
    parameters: list[Param] | None = None
    platforms: list[str] | None = None
    deprecated: str | None = None
    source: str = ""
    overloads: list[list[Param]] = []


class Target:
    """One version's table; entries are decoded when they are asked for."""

    def __init__(self, version: str, raw: dict[str, msgspec.Raw]) -> None:
        self.version = version
        self._raw = raw
        self._decoder = msgspec.json.Decoder(TargetApi)
        self._known: dict[str, TargetApi] = {}

    def get(self, name: str) -> TargetApi | None:
        """The API of this name (``mindspore.ops.relu``, ``mindspore.Tensor.view``), or None."""
        if name not in self._known:
            raw = self._raw.get(name)
            if raw is None:
                return None
            self._known[name] = self._decoder.decode(raw)
        return self._known[name]

    def __contains__(self, name: str) -> bool:
        return name in self._raw

    def names(self) -> list[str]:
        """All names of the version, sorted."""
        return sorted(self._raw)


def versions() -> list[str]:
    """The versions that have a table, oldest first."""
    found = [path.name.removeprefix("mindspore-").removesuffix(".json.gz") for path in DATA.glob("mindspore-*.json.gz")]
    return sorted(found, key=lambda v: [int(part) for part in v.split(".")])


@lru_cache(maxsize=4)
def load(version: str = "2.10.0") -> Target:
    """The table of a version. Raises ValueError, naming the versions there are, for one that has none."""
    path = DATA / f"mindspore-{version}.json.gz"
    if not path.exists():
        raise ValueError(f"there is no table for MindSpore {version}; there are {', '.join(versions())}")
    raw = msgspec.json.decode(gzip.decompress(path.read_bytes()), type=dict[str, msgspec.Raw])
    return Target(version, raw)
