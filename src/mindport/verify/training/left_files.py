"""Files that a run leaves in its project (checkpoints, logs) are set aside while the same command runs there again.

A program that resumes (``if os.path.isfile("last.pth")``) would otherwise find its training done, and the runs that measure torch's noise would
measure nothing. Only what a run of the ladder's made is moved, never what stood there before or what the user added since; it comes back
when the run has ended, or, if mindport was killed meanwhile, before the next one.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import msgspec

#: In a larger folder nothing is looked for: whoever keeps that many files has data sets there.
MOST = 50_000
_NEVER = frozenset((".git", "__pycache__", ".venv", "node_modules"))


@contextlib.contextmanager
def set_aside(project: Path, keep: Path) -> Iterator[None]:
    """While a command runs in `project`, what its first run made there is in `keep`; the first time, what it makes is noted there."""
    keep.mkdir(parents=True, exist_ok=True)
    note, stash = keep / "made.json", keep / "aside"
    _bring_back(stash, project)
    if note.is_file():
        for name in msgspec.json.decode(note.read_bytes(), type=list[str]):
            if (project / name).is_file():
                (stash / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.move(project / name, stash / name)
        try:
            yield
        finally:
            _bring_back(stash, project)
        return
    before = _files(project, keep)
    try:
        yield
    finally:
        after = _files(project, keep)
        part = keep / "made.part"
        part.write_bytes(msgspec.json.encode(sorted(after - before) if before is not None and after is not None else []))
        part.replace(note)


def _bring_back(stash: Path, project: Path) -> None:
    for path in sorted(stash.rglob("*")) if stash.is_dir() else ():
        if path.is_file():
            there = project / path.relative_to(stash)
            there.parent.mkdir(parents=True, exist_ok=True)
            shutil.move(path, there)
    shutil.rmtree(stash, ignore_errors=True)


def _files(project: Path, keep: Path) -> set[str] | None:
    """The files below a folder, but for those that no run resumes from; None where there are too many."""
    found: set[str] = set()
    working = keep.parent.parent.resolve()  # the ladder's own folder may stand in the project
    for folder, inner, names in os.walk(project):
        inner[:] = [name for name in inner if name not in _NEVER and (Path(folder) / name).resolve() != working]
        found |= {(Path(folder) / name).relative_to(project).as_posix() for name in names}
        if len(found) > MOST:
            return None
    return found
