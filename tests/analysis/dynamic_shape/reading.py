"""Reads the programs with known answers: ``=== name`` starts one, ``--- path`` a file of it, ``#! MPxxx`` marks a line with a finding.

``#?`` marks a line that counts neither way. What stands behind ``~~~`` drives the program, so that its shapes can be observed (`observing`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "programs"
ONLY_FILE = "module.py"
DRIVEN_BY = "\n~~~\n"
_OPEN = "  #?"
_MARK = re.compile(r"  #!((?: MP\d{3})+)$")
_FILE = re.compile(r"--- (\S+\.py)$")


@dataclass(frozen=True)
class Program:
    """A program's files (path → text), and the (path, line, code) triples where findings are expected."""

    name: str
    files: dict[str, str]
    expected: frozenset[tuple[str, int, str]]
    open: frozenset[tuple[str, int]] = frozenset()
    driver: str = ""


def programs(*stems: str) -> list[Program]:
    """The programs of the files with these stems, in the order of their text."""
    return [program for stem in stems for program in _read(FOLDER / f"{stem}.txt")]


def _read(path: Path) -> list[Program]:
    found = []
    for part in path.read_text(encoding="utf-8").split("\n=== ")[1:]:
        name, _, body = part.partition("\n")
        body, _, driver = body.partition(DRIVEN_BY)
        files: dict[str, list[str]] = {}
        current, expected, either = ONLY_FILE, set(), set()
        for line in body.rstrip("\n").split("\n"):
            if begins := _FILE.match(line):
                current = begins.group(1)
                continue
            lines = files.setdefault(current, [])
            mark = _MARK.search(line)
            if mark:
                expected |= {(current, len(lines) + 1, code) for code in mark.group(1).split()}
                line = line[: mark.start()]
            if line.endswith(_OPEN):
                either.add((current, len(lines) + 1))
                line = line.removesuffix(_OPEN)
            lines.append(line)
        texts = {name: "\n".join(lines) + "\n" for name, lines in files.items()}
        found.append(Program(f"{path.stem}: {name}", texts, frozenset(expected), frozenset(either), driver))
    return found
