"""Which files use MindSpore's tape: those with a step that is no function, and all that run in one process with them.

``mindspore.value_and_grad`` ends the recording that the tape needs, so the two forms do not mix: files share a
form if one imports the other, or a third imports both. Names of modules decide; a false match only widens the group.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import PurePosixPath

from mindport.source.file import SourceFile

_WORDS = frozenset({"backward", "grad", "requires_grad", "requires_grad_"})


def available(version: str) -> bool:
    """Whether a MindSpore version has a tape that can be gone back through from any tensor."""
    major, minor = (int(part) for part in version.split(".")[:2])
    return (major, minor) >= (2, 10)


def reason(text: str, obstacle: str) -> str:
    """The message of a step that is no function."""
    return f"`{text}` goes back through MindSpore's tape: {obstacle}"


def together(files: Sequence[SourceFile], wanting: frozenset[PurePosixPath]) -> frozenset[PurePosixPath]:
    """All files that may run in one process with one of `wanting`."""
    named: dict[str, set[PurePosixPath]] = {}
    for file in files:
        place = file.relative
        named.setdefault(place.parent.name if place.stem == "__init__" else place.stem, set()).add(place)
    direct = {file.relative: {p for name in _imported(file) for p in named.get(name, ())} for file in files}
    reached = {file.relative: _reach(file.relative, direct) for file in files}
    concerned = {file.relative for file in files if _is_concerned(file)}
    found = wanting
    while True:
        wider = found.union(*(reach & concerned for reach in reached.values() if reach & found))
        if wider == found:
            return found
        found = wider


def _is_concerned(file: SourceFile) -> bool:
    """Whether a file computes gradients, or says of tensors that they want one: all others read the same in both forms."""
    return any(isinstance(n, ast.Attribute) and n.attr in _WORDS for n in ast.walk(file.tree)) or any(
        isinstance(n, (ast.keyword, ast.alias)) and (n.arg if isinstance(n, ast.keyword) else n.name) in _WORDS for n in ast.walk(file.tree)
    )


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
    for node in ast.walk(file.tree):
        if isinstance(node, ast.Import):
            found |= {part for alias in node.names for part in alias.name.split(".")}
        elif isinstance(node, ast.ImportFrom):
            found |= {*(node.module or "").split("."), *(alias.name for alias in node.names)}
    return found
