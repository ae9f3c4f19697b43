"""What .gitignore files and --exclude patterns leave out, level by level as git does.

The deepest .gitignore with an opinion decides, and in it the last matching pattern; above the root,
those up to the repository's top count too. --exclude patterns come first and win. A
pattern is compared with the entry itself, never with the folders above it: the walk does not enter
an ignored folder, so nothing below one can come back. What git tracks is the project's, whatever they say. (pathspec's answer for folders
differs from git's where ``*`` is followed by ``!folder/``; a test compares this file with git.)
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from mindport.source.tracked import tracked


@dataclass(frozen=True)
class _Pattern:
    regex: re.Pattern[str]
    ignores: bool  # False for !pattern
    folders_only: bool


class Ignored:
    """The patterns that hold below `root`; .gitignore files are read as folders are asked about."""

    def __init__(self, root: Path, exclude: Sequence[str] = ()) -> None:
        self._root = root
        self._exclude = _patterns(exclude)
        self._above = [folder for folder in _repository_folders(root) if folder != root]
        self._by_folder: dict[Path, list[_Pattern]] = {}
        self._top = _repository_folders(root)[-1]
        self._opened: set[Path] = set()  # ignored folders that hold something that is tracked

    @cached_property
    def _tracked(self) -> frozenset[str]:
        return tracked(self._top)

    @property
    def knows_tracked(self) -> bool:
        """Whether the project stands in a repository that says which files it tracks."""
        return bool(self._tracked)

    def is_excluded(self, path: Path) -> bool:
        """Whether a pattern of --exclude means the path or a folder above it."""
        return any(_verdict(self._exclude, place, self._root, place != path) for place in (path, *path.parents) if self._root in place.parents)

    def holds(self, path: Path, is_folder: bool) -> bool:
        """Is `path`, inside the root, ignored? Folders above it are taken as not ignored. What git tracks is not, but for --exclude."""
        if _verdict(self._exclude, path, self._root, is_folder):
            return True
        if path.parent not in self._opened and not self._is_matched(path, is_folder):
            return False
        name = path.relative_to(self._top).as_posix()
        if not is_folder:
            return name not in self._tracked
        if not any(each.startswith(name + "/") for each in self._tracked):
            return True
        self._opened.add(path)
        return False

    def _is_matched(self, path: Path, is_folder: bool) -> bool:
        folder = path.parent
        levels = [folder]
        while folder != self._root and folder != folder.parent:
            folder = folder.parent
            levels.append(folder)
        for folder in (*levels, *self._above):
            verdict = _verdict(self._of(folder), path, folder, is_folder)
            if verdict is not None:
                return verdict
        return False

    def _of(self, folder: Path) -> list[_Pattern]:
        if folder not in self._by_folder:
            self._by_folder[folder] = _patterns(_lines(folder / ".gitignore"))
        return self._by_folder[folder]


def _verdict(patterns: list[_Pattern], path: Path, folder: Path, is_folder: bool) -> bool | None:
    if not patterns:
        return None
    name = path.relative_to(folder).as_posix()
    for pattern in patterns:
        if (is_folder or not pattern.folders_only) and pattern.regex.fullmatch(name):
            return pattern.ignores
    return None


def _repository_folders(root: Path) -> list[Path]:
    """From `root` upwards to the folder that holds .git; only `root` outside a repository."""
    folders = [root, *root.parents]
    for count, folder in enumerate(folders, 1):
        if os.path.exists(folder / ".git"):
            return folders[:count]
    return [root]


def _lines(path: Path) -> list[str]:
    if not os.path.isfile(path):
        return []
    try:
        return path.read_text(encoding="utf-8-sig", errors="replace").split("\n")
    except OSError:  # an unreadable .gitignore ignores nothing, as in git
        return []


def _patterns(lines: Iterable[str]) -> list[_Pattern]:
    """The patterns of the lines, last first. Lines that are no pattern match nothing, as in git."""
    found = []
    for line in lines:
        line = re.sub(r"(?<!\\) +$", "", line.rstrip("\r"))
        if not line or line.startswith("#"):
            continue
        negated = line.startswith("!")
        body = line[negated:]
        folders_only = body.endswith("/")
        body = body.removesuffix("/")
        regex = _regex(body)
        if regex is not None:
            found.append(_Pattern(regex, not negated, folders_only))
    return found[::-1]


def _regex(body: str) -> re.Pattern[str] | None:
    """The regular expression of a pattern without ``!`` and the last ``/``."""
    if not body:
        return None
    anchored = "/" in body
    body = body.removeprefix("/")
    written = "" if anchored else "(?:.*/)?"
    at = 0
    while at < len(body):
        sign = body[at]
        starts = at == 0 or body[at - 1] == "/"
        if starts and body.startswith("**/", at):
            written += "(?:.*/)?"
            at += 3
            continue
        if starts and body[at:] == "**":
            written += ".+"
            break
        if sign == "*":
            written += "[^/]*"
        elif sign == "?":
            written += "[^/]"
        elif sign == "[":
            group, length = _group(body[at:])
            if not length:
                return None
            written += group
            at += length
            continue
        elif sign == "\\":
            at += 1
            if at == len(body):
                return None
            written += re.escape(body[at])
        else:
            written += re.escape(sign)
        at += 1
    try:
        return re.compile(written, re.DOTALL)
    except re.error:
        return None


def _group(text: str) -> tuple[str, int]:
    """The regular expression of the bracket group that `text` starts with, and its length; 0 if it never ends."""
    at = 1
    negated = text[at : at + 1] in ("!", "^")
    at += negated
    inside = ""
    first = True
    while at < len(text):
        sign = text[at]
        if sign == "]" and not first:
            return f"(?!/)[{'^' * negated}{inside}]", at + 1
        named = re.match(r"\[:(alpha|digit|alnum|upper|lower|space|punct|xdigit):\]", text[at:])
        if named:
            inside += _NAMED[named.group(1)]
            at += named.end()
        else:
            if sign == "\\" and at + 1 < len(text):
                at += 1
                sign = text[at]
                inside += "\\-" if sign == "-" else re.escape(sign)
            else:
                inside += "-" if sign == "-" else re.escape(sign)
            at += 1
        first = False
    return "", 0


_NAMED = {
    "alpha": "A-Za-z",
    "digit": "0-9",
    "alnum": "A-Za-z0-9",
    "upper": "A-Z",
    "lower": "a-z",
    "space": r"\s",
    "punct": re.escape("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"),
    "xdigit": "0-9A-Fa-f",
}
