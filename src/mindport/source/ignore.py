"""What .gitignore files and --exclude patterns leave out, level by level as git does.

The deepest .gitignore with an opinion decides; above the root, those up to the repository's
top count too. --exclude patterns come last and win.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from pathspec import GitIgnoreSpec


class Ignored:
    """The patterns that hold below `root`; .gitignore files are read as folders are asked about."""

    def __init__(self, root: Path, exclude: Sequence[str] = ()) -> None:
        self._root = root
        self._exclude = GitIgnoreSpec.from_lines(exclude)
        self._above = [folder for folder in _repository_folders(root) if folder != root]
        self._by_folder: dict[Path, GitIgnoreSpec | None] = {}

    def holds(self, path: Path, is_folder: bool) -> bool:
        """Is `path`, inside the root, ignored? Folders above it are taken as not ignored."""
        tail = "/" if is_folder else ""
        if self._exclude.match_file(path.relative_to(self._root).as_posix() + tail):
            return True
        folder = path.parent
        levels = [folder]
        while folder != self._root and folder != folder.parent:
            folder = folder.parent
            levels.append(folder)
        for folder in (*levels, *self._above):
            spec = self._spec(folder)
            if spec is None:
                continue
            verdict = spec.check_file(path.relative_to(folder).as_posix() + tail).include
            if verdict is not None:
                return verdict
        return False

    def _spec(self, folder: Path) -> GitIgnoreSpec | None:
        if folder not in self._by_folder:
            self._by_folder[folder] = _read(folder / ".gitignore")
        return self._by_folder[folder]


def _repository_folders(root: Path) -> list[Path]:
    """From `root` upwards to the folder that holds .git; only `root` outside a repository."""
    folders = [root, *root.parents]
    for count, folder in enumerate(folders, 1):
        if os.path.exists(folder / ".git"):
            return folders[:count]
    return [root]


def _read(path: Path) -> GitIgnoreSpec | None:
    if not os.path.isfile(path):
        return None
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:  # an unreadable .gitignore ignores nothing, as in git
        return None
    try:
        return GitIgnoreSpec.from_lines(lines)
    except ValueError:
        return GitIgnoreSpec.from_lines([line for line in lines if _is_pattern(line)])


def _is_pattern(line: str) -> bool:
    try:
        GitIgnoreSpec.from_lines([line])
    except ValueError:
        return False
    return True
