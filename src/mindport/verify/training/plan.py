"""What to train, and how to compare: the whole spec of a ladder.

Two minutes of work for any project: the command that trains (without ``python``), the original's folder, the
converted one's. Neither project's files change.
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import sys
from pathlib import Path
from typing import Any

import msgspec

from mindport.verify.spec import SpecError


class TrainSide(msgspec.Struct, forbid_unknown_fields=True):
    """One framework's project: `folder` is where the command runs; `path` is put before ``PYTHONPATH``."""

    folder: str
    python: str = sys.executable
    path: list[str] = msgspec.field(default_factory=list)
    environment: dict[str, str] = msgspec.field(default_factory=dict)


class TrainSpec(msgspec.Struct, forbid_unknown_fields=True):
    """A ladder. `train`: the command's words after ``python`` (``"train.py --epochs 2"``), the same on both sides.

    `steps`: optimizer steps to compare (0: the whole run, which the metric needs). `noise`: torch's perturbed runs.
    `float64`: one more run of torch in float64. `dropout`: leave it on (it draws other numbers on each side).
    `share_random`: what the script draws with the frameworks' functions comes from one NumPy stream on both sides.
    `move`: not 0: torch's first values are moved by a thousandth, by this seed, and MindSpore's with them.
    `metric`: a pattern with the groups ``name`` and ``value`` for what the script prints.
    """

    train: str | list[str]
    torch: TrainSide
    mindspore: TrainSide
    steps: int = 100
    noise: int = 2
    float64: bool = True
    dropout: bool = False
    share_random: bool = True
    move: int = 0
    metric: str | None = None
    timeout: float = 3600
    folder: str = "."

    @property
    def words(self) -> list[str]:
        """The command without the interpreter."""
        words = shlex.split(self.train) if isinstance(self.train, str) else list(self.train)
        return words[1:] if words and re.fullmatch(r"python[\d.]*", words[0]) else words


def load_plan(path: Path) -> TrainSpec:
    """Read a spec with "train"; its relative paths count from its folder. Raises `SpecError`."""
    try:
        plan = msgspec.json.decode(path.read_bytes(), type=TrainSpec)
    except OSError as error:
        raise SpecError(f"{path}: {error.strerror or error}") from error
    except msgspec.DecodeError as error:
        raise SpecError(f"{path}: {error}") from error
    plan.folder = str((path.parent / plan.folder).resolve())
    check(plan)
    return plan


def check(plan: TrainSpec) -> None:
    """Raise `SpecError` for what the types do not rule out."""
    if not plan.words:
        raise SpecError("\"train\" is empty: give the command that trains, as \"train.py --epochs 2\"")
    for label, side in (("torch", plan.torch), ("mindspore", plan.mindspore)):
        folder = place(plan, side.folder)
        if not folder.is_dir():
            raise SpecError(f"{label}: there is no folder {folder}")
        script = plan.words[0]
        if script.endswith(".py") and not (folder / script).is_file():
            raise SpecError(f"{label}: there is no file {folder / script}")
    if plan.steps < 0 or plan.noise < 0:
        raise SpecError("\"steps\" and \"noise\" are numbers from 0 on")
    if plan.metric is not None:
        try:
            groups = re.compile(plan.metric).groupindex
        except re.error as error:
            raise SpecError(f"metric: {plan.metric!r} is no pattern: {error}") from error
        if "value" not in groups:
            raise SpecError("metric: the pattern needs a group (?P<value>…), and may have (?P<name>…)")


def place(plan: TrainSpec, path: str) -> Path:
    """A path of the spec, which counts from the spec's folder."""
    return (Path(plan.folder) / path).resolve()


def fingerprint(plan: TrainSpec, side: TrainSide, job: dict[str, Any]) -> str:
    """Changes when a recording would: with the command, the job, and the files of the side's project."""
    seen = hashlib.blake2b(digest_size=16)
    seen.update(repr((plan.words, side.python, side.path, side.environment)).encode())
    seen.update(repr(sorted((k, v) for k, v in job.items() if k not in ("out", "torch", "reference", "placed"))).encode())
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        seen.update(path.read_bytes())
    root = place(plan, side.folder)
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(f for f in folders if not f.startswith(".") and f != "__pycache__")
        for name in sorted(files):
            if name.endswith((".py", ".json", ".yaml", ".yml", ".toml", ".cfg")):
                path = Path(folder, name)
                seen.update(str(path.relative_to(root)).encode())
                seen.update(path.read_bytes())
    return seen.hexdigest()
