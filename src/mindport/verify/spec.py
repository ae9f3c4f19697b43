"""What to compare: two targets, the inputs, and how; read from a JSON file.

A target is ``path/to/file.py:name`` or ``package.module:name``. An argument is JSON, where

* ``{"tensor": [2, 3], "dtype": "float32", "low": 0, "high": 1}`` is a random tensor (normal where no
  bounds are given; integers and bools need or imply bounds), the same bits on both sides;
* ``{"npz": "inputs.npz", "key": "x", "dtype": "float32"}`` is a stored one;
* ``{"dtype": "float32"}`` is the framework's dtype, ``{"tuple": […]}`` a tuple, ``{"literal": "…"}`` a
  Python literal, ``{"dict": {…}}`` a dictionary whatever its keys; everything else stands for itself.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Literal

import msgspec


class SpecError(ValueError):
    """A spec that cannot be used; the message is one sentence for the user."""


class Construct(msgspec.Struct, forbid_unknown_fields=True):
    """The arguments with which a target is called once to get the model."""

    args: list[Any] = msgspec.field(default_factory=list)
    kwargs: dict[str, Any] = msgspec.field(default_factory=dict)


class Side(msgspec.Struct, forbid_unknown_fields=True):
    """One framework's half. `prelude` is a Python file that runs first; `path` is put before ``sys.path``.

    Where `construct` is given (or the target is a class), the target is called with it, and the
    result is the model; otherwise the target itself is called with each case's arguments.
    """

    target: str
    path: list[str] = msgspec.field(default_factory=list)
    construct: Construct | None = None
    prelude: str | None = None
    python: str = sys.executable


class Case(msgspec.Struct, forbid_unknown_fields=True):
    """One call. `raises` names the exception that both sides must raise."""

    args: list[Any] = msgspec.field(default_factory=list)
    kwargs: dict[str, Any] = msgspec.field(default_factory=dict)
    name: str = "case"
    raises: str | None = None


class Spec(msgspec.Struct, forbid_unknown_fields=True):
    """A whole comparison. `weights`: a checkpoint for torch's model (without: as seeded);
    `layout`: the map to MindSpore's names (without: derived from the two models);
    `tolerance`: allowed difference by dtype, relative to the tensor's largest value.

    Without `weights`, `perturb` varies the parameters that a new model sets to one constant
    (a normalisation's ones and zeros): swapped, they would otherwise go unnoticed.
    """

    torch: Side
    mindspore: Side
    cases: list[Case]
    mode: Literal["eval", "train"] = "eval"
    gradient: bool = True
    layers: bool = True
    oracle: bool = True
    perturb: bool = True
    seed: int = 0
    weights: str | None = None
    layout: str | None = None
    tolerance: dict[str, float] = msgspec.field(default_factory=dict)
    timeout: float = 900
    folder: str = "."


def load_spec(path: Path) -> Spec:
    """Read and check a spec file; its relative paths count from its folder. Raises `SpecError`."""
    try:
        spec = msgspec.json.decode(path.read_bytes(), type=Spec)
    except OSError as error:
        raise SpecError(f"{path}: {error.strerror or error}") from error
    except msgspec.DecodeError as error:
        raise SpecError(f"{path}: {error}") from error
    spec.folder = str((path.parent / spec.folder).resolve())
    check(spec)
    return spec


def check(spec: Spec) -> None:
    """Raise `SpecError` for what a spec's types do not rule out."""
    if not spec.cases:
        raise SpecError("the spec has no cases: give at least one with the arguments of a call")
    names = [case.name for case in spec.cases]
    if repeated := sorted({name for name in names if names.count(name) > 1}):
        raise SpecError(f"two cases are called {repeated[0]!r}: give each its own name")
    for label, side in (("torch", spec.torch), ("mindspore", spec.mindspore)):
        module, separator, name = side.target.rpartition(":")
        if not separator or not module or not name:
            raise SpecError(
                f"{label}.target is {side.target!r}: write path/to/file.py:name or package.module:name"
            )
        files = [side.prelude] if side.prelude else []
        files += [module] if module.endswith(".py") else []
        for file in files:
            if not resolve(spec, file).is_file():
                raise SpecError(f"{label}: there is no file {resolve(spec, file)}")
        for folder in side.path:
            if not resolve(spec, folder).is_dir():
                raise SpecError(f"{label}.path: there is no folder {resolve(spec, folder)}")
    for label, given in (("weights", spec.weights), ("layout", spec.layout)):
        if given is not None and not resolve(spec, given).is_file():
            raise SpecError(f"{label}: there is no file {resolve(spec, given)}")


def resolve(spec: Spec, path: str) -> Path:
    """A path of the spec, which counts from the spec's folder."""
    return (Path(spec.folder) / path).resolve()
