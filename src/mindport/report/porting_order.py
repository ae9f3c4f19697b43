"""The order of work: files that others import come before those that import them."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import PurePosixPath

from mindport.source.file import SourceFile


def porting_order(files: Sequence[SourceFile]) -> list[tuple[SourceFile, tuple[str, ...]]]:
    """(file, paths of the project's files that it imports), leaves first.

    Files that import each other in a circle come in the order of how few of their imports are still open.
    """
    by_module: dict[str, SourceFile] = {}
    for file in files:
        parts = _module(file.relative)
        for start in range(len(parts)):
            by_module.setdefault(".".join(parts[start:]), file)  # src/pkg/x.py is imported as pkg.x
    needs = {file: _imported(file, by_module) - {file} for file in files}
    users: dict[SourceFile, list[SourceFile]] = {file: [] for file in files}
    for file, needed in needs.items():
        for each in needed:
            users[each].append(file)
    left = {file: len(needed) for file, needed in needs.items()}
    ready = sorted((f for f in files if not left[f]), key=_path, reverse=True)
    done: dict[SourceFile, None] = {}
    while len(done) < len(files):
        if not ready:
            ready = [min((f for f in files if f not in done), key=lambda f: (left[f], _path(f)))]
        file = ready.pop()
        if file in done:
            continue
        done[file] = None
        freed = []
        for user in users[file]:
            left[user] -= 1
            if left[user] == 0 and user not in done:
                freed.append(user)
        ready = sorted([*ready, *freed], key=_path, reverse=True)
    return [(file, tuple(sorted(_path(each) for each in needs[file]))) for file in done]


def _path(file: SourceFile) -> str:
    return str(file.relative)


def _module(path: PurePosixPath) -> tuple[str, ...]:
    parts = path.with_suffix("").parts
    return parts[:-1] if parts[-1] == "__init__" else parts


def _imported(file: SourceFile, by_module: dict[str, SourceFile]) -> set[SourceFile]:
    found: set[SourceFile] = set()
    package = file.relative.parts[:-1]
    for node in file.nodes:
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                base = ".".join([*package[: len(package) - node.level + 1], *([node.module] if node.module else [])])
            names = [f"{base}.{alias.name}".strip(".") for alias in node.names]
            names = [name if name in by_module else base for name in names]
        found |= {by_module[name] for name in names if name in by_module}
    return found
