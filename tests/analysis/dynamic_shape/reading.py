"""Reads the programs with known answers: ``=== name`` starts one, ``#! MPxxx`` marks a line with a finding."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "programs"
_MARK = re.compile(r"  #!((?: MP\d{3})+)$")


@dataclass(frozen=True)
class Program:
    """A program, and the (line, code) pairs where findings are expected."""

    name: str
    text: str
    expected: frozenset[tuple[int, str]]


def programs(*stems: str) -> list[Program]:
    """The programs of the files with these stems, in the order of their text."""
    return [program for stem in stems for program in _read(FOLDER / f"{stem}.txt")]


def _read(path: Path) -> list[Program]:
    found = []
    for part in path.read_text(encoding="utf-8").split("\n=== ")[1:]:
        name, _, body = part.partition("\n")
        lines, expected = [], set()
        for number, line in enumerate(body.rstrip("\n").split("\n"), 1):
            mark = _MARK.search(line)
            if mark:
                expected |= {(number, code) for code in mark.group(1).split()}
                line = line[: mark.start()]
            lines.append(line)
        found.append(Program(f"{path.stem}: {name}", "\n".join(lines) + "\n", frozenset(expected)))
    return found
