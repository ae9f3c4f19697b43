"""Moves arrays along a layout, strictly, in either direction, bit for bit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Literal

import msgspec

from mindport.weights import files
from mindport.weights.array import Array, WeightError
from mindport.weights.derivation import nearest
from mindport.weights.files import Framework
from mindport.weights.layout import Entry, Layout

ProblemKind = Literal["missing", "unexpected", "shape", "conflict"]
_PREFIX = "module."


class Problem(msgspec.Struct, frozen=True):
    """One reason why a checkpoint does not fit the layout."""

    kind: ProblemKind
    name: str
    message: str


class Move(msgspec.Struct, frozen=True):
    """One array that was moved."""

    source: str
    target: str
    dtype: str
    source_shape: list[int]
    target_shape: list[int]


class WeightReport(msgspec.Struct):
    """What a conversion did: `moved`, `dropped` (no counterpart in the target), `absent` (not in the source)."""

    to: Framework
    moved: list[Move] = msgspec.field(default_factory=list)
    dropped: list[str] = msgspec.field(default_factory=list)
    absent: list[str] = msgspec.field(default_factory=list)
    problems: list[Problem] = msgspec.field(default_factory=list)
    notes: list[str] = msgspec.field(default_factory=list)


class MismatchError(WeightError):
    """The checkpoint does not fit; `report.problems` says where."""

    def __init__(self, report: WeightReport) -> None:
        lines = [f"{p.name}: {p.message}" for p in report.problems]
        super().__init__(f"the checkpoint does not fit the model ({len(lines)} problems):\n  " + "\n  ".join(lines))
        self.report = report


def convert(
    arrays: Mapping[str, Array], layout: Layout, to: Framework, rest: Mapping[str, Array] | None = None
) -> tuple[dict[str, Array], WeightReport]:
    """The arrays under the other framework's names and shapes, in the layout's order.

    `rest` holds torch arrays without a counterpart in MindSpore, as an earlier conversion
    dropped them; they are put back on the way to torch. Raises `MismatchError`.
    """
    report = WeightReport(to)
    move = _to_mindspore if to == "mindspore" else _to_torch
    out = move(arrays, layout, report, rest or {})
    if report.problems:
        raise MismatchError(report)
    return out, report


def _problem(report: WeightReport, kind: ProblemKind, name: str, message: str) -> None:
    report.problems.append(Problem(kind, name, message))


def _unexpected(report: WeightReport, arrays: Iterable[str], known: Iterable[str], missing: Iterable[str]) -> None:
    known, missing = set(known), list(missing)
    for name in arrays:
        if name not in known:
            hint = nearest(name, missing) or nearest(name, known)
            _problem(report, "unexpected", name, f"the model has no such tensor{hint}")


def _inserted(shape: tuple[int, ...], axis: int | None) -> tuple[int, ...]:
    if axis is None:
        return shape
    place = axis if axis >= 0 else len(shape) + 1 + axis
    return (*shape[:place], 1, *shape[place:])


def _to_mindspore(
    arrays: Mapping[str, Array], layout: Layout, report: WeightReport, rest: Mapping[str, Array]
) -> dict[str, Array]:
    out: dict[str, Array] = {}
    origin: dict[str, str] = {}
    missing = [n for n, e in layout.entries.items() if n not in arrays and e.name is not None]
    for name, entry in layout.entries.items():
        if name not in arrays:
            if entry.name is not None and not (entry.name in out or _alias(name, entry, layout, arrays)):
                hint = nearest(name, (n for n in arrays if n not in layout.entries))
                _problem(report, "missing", name, f"the checkpoint lacks it{hint}")
            continue
        array = arrays[name]
        if entry.name is None:
            report.dropped.append(name)
            continue
        if entry.shape is not None and list(array.shape) != entry.shape:
            _problem(report, "shape", name, f"the checkpoint has {list(array.shape)}, the model {entry.shape}")
            continue
        moved = array.reshape(_inserted(array.shape, entry.insert_axis))
        if entry.name in out and out[entry.name] != moved:
            other = origin[entry.name]
            _problem(report, "conflict", name, f"MindSpore shares it with {other}, but the checkpoint's values differ")
            continue
        out.setdefault(entry.name, moved)
        origin.setdefault(entry.name, name)
        report.moved.append(Move(name, entry.name, array.dtype, list(array.shape), list(moved.shape)))
    _unexpected(report, arrays, layout.entries, missing)
    report.absent = list(layout.mindspore_only)
    return out


def _alias(name: str, entry: Entry, layout: Layout, arrays: Mapping[str, Array]) -> bool:
    """Whether another torch name of the same shared MindSpore parameter is in the checkpoint."""
    return any(other.name == entry.name and alias in arrays for alias, other in layout.entries.items() if alias != name)


def _to_torch(
    arrays: Mapping[str, Array], layout: Layout, report: WeightReport, rest: Mapping[str, Array]
) -> dict[str, Array]:
    out: dict[str, Array] = {}
    wanted = {entry.name for entry in layout.entries.values() if entry.name is not None}
    missing = [name for name in wanted if name not in arrays]
    for name, entry in layout.entries.items():
        if entry.name is None:
            if name in rest:
                out[name] = rest[name]
            else:
                report.absent.append(name)
            continue
        if entry.name not in arrays:
            hint = nearest(entry.name, (n for n in arrays if n not in wanted))
            _problem(report, "missing", entry.name, f"the checkpoint lacks it{hint}")
            continue
        array = arrays[entry.name]
        shape = array.shape if entry.shape is None else tuple(entry.shape)
        if _inserted(shape, entry.insert_axis) != array.shape:
            expected = list(_inserted(shape, entry.insert_axis))
            _problem(report, "shape", entry.name, f"the checkpoint has {list(array.shape)}, the model {expected}")
            continue
        out[name] = array.reshape(shape)
        report.moved.append(Move(entry.name, name, array.dtype, list(array.shape), list(shape)))
    only = set(layout.mindspore_only)
    report.dropped = [name for name in arrays if name in only]
    _unexpected(report, arrays, wanted | only, missing)
    return out


def convert_file(source: Path, target: Path, layout: Path | Layout, rest: Path | None = None) -> WeightReport:
    """Convert one checkpoint file into another; the direction follows from the suffixes.

    `rest`: a ``.safetensors`` that takes what MindSpore has no counterpart for (on the way to
    MindSpore) or gives it back (on the way to torch), so that a round trip is complete.
    Raises `WeightError`; nothing is written then.
    """
    if not isinstance(layout, Layout):
        layout = Layout.load(layout)
    if source.exists() and target.exists() and source.samefile(target):
        raise WeightError(f"{target}: the target is the source; choose another file")
    checkpoint = files.read(source)
    to = _direction(checkpoint, source, target, layout)
    arrays, notes = without_prefix(checkpoint.arrays, layout, to)
    kept: dict[str, Array] = {}
    if rest is not None and to == "torch":
        kept = files.read(rest).arrays
    out, report = convert(arrays, layout, to, kept)
    report.notes = checkpoint.notes + notes
    files.write(target, out, to)
    if rest is not None and to == "mindspore":
        files.write(rest, {name: arrays[name] for name in report.dropped}, "torch")
    return report


def _direction(checkpoint: files.Checkpoint, source: Path, target: Path, layout: Layout) -> Framework:
    wanted = files.suffix_framework(target)
    origin = checkpoint.framework
    if origin is None and wanted is None:
        torch_names = sum(name in checkpoint.arrays for name in layout.entries)
        mindspore_names = sum(entry.name in checkpoint.arrays for entry in layout.entries.values())
        if torch_names == mindspore_names:
            raise WeightError(
                f"{source.name} → {target.name}: both suffixes are .safetensors and the names do not tell whose the "
                "source is; give the torch file the suffix .pth or the MindSpore file .ckpt"
            )
        origin = "torch" if torch_names > mindspore_names else "mindspore"
    if origin is not None and origin == wanted:
        raise WeightError(f"{source.name} → {target.name}: both are {origin} files; there is nothing to convert")
    if wanted is not None:
        return wanted
    return "mindspore" if origin == "torch" else "torch"


def without_prefix(arrays: dict[str, Array], layout: Layout, to: Framework) -> tuple[dict[str, Array], list[str]]:
    """Without the ``module.`` that DataParallel puts before every name, where the model has no such child."""
    prefixed = bool(arrays) and all(name.startswith(_PREFIX) for name in arrays)
    if to == "mindspore" and prefixed and not any(name.startswith(_PREFIX) for name in layout.entries):
        shorter = {name[len(_PREFIX) :]: array for name, array in arrays.items()}
        return shorter, [f"the prefix {_PREFIX!r} was taken off every name (DataParallel writes it)"]
    return arrays, []
