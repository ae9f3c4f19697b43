"""Which files are programs, and what they import: by the last names of modules, so that a name which several files have means all of them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from functools import lru_cache

from mindport.source.file import SourceFile
from mindport.source.main_block import is_main_block
from mindport.source.walking import walk


def begins_itself(file: SourceFile, files: Sequence[SourceFile]) -> bool:
    """Whether a file is a program: it has a block for that, or no other file imports it."""
    if any(is_main_block(statement) for statement in file.tree.body):
        return True
    return not any(_stem(file) in imported_names(other.tree) for other in files if other is not file)


def import_graph(files: Sequence[SourceFile]) -> Callable[[SourceFile], frozenset[SourceFile]]:
    """A function that says what a file reaches: itself and what it imports, directly or not."""
    by_stem: dict[str, list[SourceFile]] = {}
    for file in files:
        by_stem.setdefault(_stem(file), []).append(file)
    known: dict[SourceFile, frozenset[SourceFile]] = {}

    def reached(file: SourceFile) -> frozenset[SourceFile]:
        if file not in known:
            found, waiting = {file}, [file]
            while waiting:
                for name in imported_names(waiting.pop().tree):
                    for other in by_stem.get(name, ()):
                        if other not in found:
                            found.add(other)
                            waiting.append(other)
            known[file] = frozenset(found)
        return known[file]

    return reached


@lru_cache(maxsize=4096)
def imported_names(tree: ast.Module) -> frozenset[str]:
    """All parts of the names that a file's imports name. Every file is asked for every other one."""
    found: set[str] = set()
    for node in walk(tree):
        if isinstance(node, ast.ImportFrom):
            found |= {(node.module or "").rpartition(".")[2], *(alias.name for alias in node.names)}
            found |= set((node.module or "").split("."))
        elif isinstance(node, ast.Import):
            found |= {part for alias in node.names for part in alias.name.split(".")}
    return frozenset(found)


def _stem(file: SourceFile) -> str:
    return file.relative.parent.name if file.relative.stem == "__init__" else file.relative.stem
