"""Reads a recording of a training run, whole or interrupted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from mindport.verify.recordings import CaseRecord, Record, _floats


class Step(msgspec.Struct):
    """One optimizer step. `loss` holds every value that was differentiated since the step before."""

    total: int
    optimizer: int
    n: int
    lr: list[float]
    loss: list[float | str]
    seconds: dict[str, float]
    at: float = 0.0
    gradient_norm: float | None = None
    memory: int | None = None

    @property
    def losses(self) -> list[float]:
        """`loss` as numbers, also where one is not finite."""
        return [float(value) for value in self.loss]


class Root(msgspec.Struct):
    """A model that the program calls. `steps`: how many steps had been taken before its first call; `modes`: the kinds and modes of the modules in it."""

    number: int
    kind: str
    training: bool
    steps: int = 0
    modes: dict[str, tuple[str, bool]] = msgspec.field(default_factory=dict)


class Run(msgspec.Struct):
    """One recording. `ended`: the program came to its end (or to the wanted number of steps)."""

    folder: Path
    start: dict[str, Any] = msgspec.field(default_factory=dict)
    steps: list[Step] = msgspec.field(default_factory=list)
    batches: list[dict[str, Any]] = msgspec.field(default_factory=list)
    roots: list[Root] = msgspec.field(default_factory=list)
    optimizers: list[dict[str, Any]] = msgspec.field(default_factory=list)
    notes: list[str] = msgspec.field(default_factory=list)
    layers: dict[str, list[float]] = msgspec.field(default_factory=dict)
    memory: int = 0
    ended: bool = False
    torn: int = 0
    #: MindSpore's: the lines that call what is compiled (here or as users run it), the draws in it (and those that graphs share with torch),
    #: whether losses or steps stand in it.
    compiled: list[str] = msgspec.field(default_factory=list)
    drawn: list[str] = msgspec.field(default_factory=list)
    shared: list[str] = msgspec.field(default_factory=list)
    hidden: set[str] = msgspec.field(default_factory=set)
    #: MindSpore's: for each root, which cell of the program it is, and in what compiled function it was first called.
    cells: list[dict[str, Any]] = msgspec.field(default_factory=list)

    @property
    def framework(self) -> str:
        """"torch 2.13.0"."""
        return f"{self.start.get('framework', '')} {self.start.get('version', '')}".strip()

    def arrays(self, name: str) -> dict[str, np.ndarray]:
        """The arrays of ``NAME.npz``, empty where there is none."""
        place = self.folder / f"{name}.npz"
        if not place.is_file():
            return {}
        with np.load(place, allow_pickle=False) as archive:
            return {key: archive[key] for key in archive.files}

    def records(self, what: str, number: int) -> CaseRecord | None:
        """What was recorded in full under ``forward`` or ``gradients``."""
        place = self.folder / f"{what}-{number}.json"
        if not place.is_file():
            return None
        found = msgspec.json.decode(place.read_bytes(), type=list[Record])
        arrays = self.arrays(f"{what}-{number}")
        for record in found:
            if record.key is not None:
                record.values = _floats(arrays[record.key], record.dtype)
        return CaseRecord(f"{what} {number}", records=found)

    def printed(self) -> str:
        """What the program printed."""
        place = self.folder / "stdout.txt"
        return place.read_text(errors="replace") if place.is_file() else ""


def load_run(folder: Path) -> Run | None:
    """The recording in `folder`, None where there is none. A line that was cut off by the process's end is left out."""
    place = folder / "run.jsonl"
    if not place.is_file():
        return None
    run = Run(folder)
    for line in place.read_text(encoding="utf-8", errors="replace").split("\n"):
        if not line:
            continue
        try:
            event = json.loads(line)
            _take(run, event)
        except (ValueError, KeyError, TypeError, msgspec.ValidationError):
            run.torn += 1
    return run


def _take(run: Run, event: dict[str, Any]) -> None:
    kind = event["event"]
    if kind == "start":
        run.start = event
    elif kind == "step":
        run.steps.append(msgspec.convert(event, Step))
        run.memory = event.get("memory", run.memory)
    elif kind == "batch":
        run.batches.append(event["leaves"])
    elif kind == "root":
        run.roots.append(msgspec.convert(event, Root))
    elif kind == "optimizer":
        run.optimizers.append(event)
    elif kind == "note":
        run.notes.append(event["message"])
    elif kind == "layers":
        run.layers = event["seconds"]
    elif kind == "compiled":
        run.compiled.append(event["line"])
    elif kind == "drawn":
        (run.shared if event.get("shared") else run.drawn).append(event["draw"])
    elif kind == "hidden":
        run.hidden.add(event["what"])
    elif kind == "cell":
        run.cells.append(event)
    elif kind == "end":
        run.ended = True
        run.memory = event.get("memory", 0)
