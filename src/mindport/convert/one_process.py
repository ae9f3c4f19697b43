"""Which files of a project may run in one process: one imports the other, or a third imports both.

Names of modules decide; a false match only widens the group.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import PurePosixPath

from mindport.source.file import SourceFile


def together(files: Sequence[SourceFile], wanting: frozenset[PurePosixPath], concerned: frozenset[PurePosixPath] | None = None) -> frozenset[PurePosixPath]:
    """`wanting`, and of `concerned` (all files, where None) those that may run in one process with one that was found."""
    named: dict[str, set[PurePosixPath]] = {}
    for file in files:
        place = file.relative
        named.setdefault(place.parent.name if place.stem == "__init__" else place.stem, set()).add(place)
    direct = {file.relative: {p for name in _imported(file) for p in named.get(name, ())} for file in files}
    reached = {file.relative: _reach(file.relative, direct) for file in files}
    found = wanting
    while True:
        wider = found.union(*(reach if concerned is None else reach & concerned for reach in reached.values() if reach & found))
        if wider == found:
            return found
        found = wider


def _reach(start: PurePosixPath, direct: dict[PurePosixPath, set[PurePosixPath]]) -> set[PurePosixPath]:
    seen, pending = {start}, [start]
    while pending:
        for place in direct[pending.pop()] - seen:
            seen.add(place)
            pending.append(place)
    return seen


def _imported(file: SourceFile) -> set[str]:
    """Every part of every module name, and every name, that the file imports."""
    found: set[str] = set()
    for node in file.nodes:
        if isinstance(node, ast.Import):
            found |= {part for alias in node.names for part in alias.name.split(".")}
        elif isinstance(node, ast.ImportFrom):
            found |= {*(node.module or "").split("."), *(alias.name for alias in node.names)}
    return found
