"""Paths → the project's files.

Requirements: what git ignores is not the project (``.gitignore`` files at every level, from the
repository's top down), but for what git tracks or the project imports; nor are environments and caches; a file that the user names is always
taken; nothing is read that is not a regular file, nothing outside the project is walked into;
every file that cannot be used becomes one finding, and the rest goes on.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from mindport.findings import Finding
from mindport.source import file as python_file
from mindport.source import notebook
from mindport.source.file import MOST_BYTES, SourceFile, finding
from mindport.source.ignore import Ignored
from mindport.source.imported import imported
from mindport.source.other_spellings import unified

#: Folders that hold tools' data or other people's code, whatever .gitignore says.
_NOT_THE_PROJECT = frozenset(
    (
        ".git", ".hg", ".svn", "venv", ".venv", "node_modules", "__pycache__", "site-packages", ".tox", ".nox", ".eggs",
        ".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis", ".ipynb_checkpoints", ".idea", ".vscode",
    )
)  # fmt: skip
_PYTHON = (".py", ".pyw")
_NOTEBOOK = ".ipynb"


@dataclass
class Discovery:
    """A project as it was found.

    `root` is an absolute folder; `files` are parsed, sorted by `relative`; `others` are absolute
    paths of the regular files that a converted project copies as they are: data, notebooks in
    other languages, and Python files that could not be parsed (each of those has a finding). `carried`
    are such files of libraries that are taken along, with their places in the project (`source.carried`).
    """

    root: Path
    files: list[SourceFile] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    others: list[Path] = field(default_factory=list)
    carried: list[tuple[Path, PurePosixPath]] = field(default_factory=list)


def discover(paths: Sequence[Path | str] | Path | str, exclude: Sequence[str] = ()) -> Discovery:
    """Find and parse the files under `paths` (files, folders, or both).

    `exclude` holds patterns in .gitignore's language, relative to the root, which is the folder
    given, a file's own folder, or the nearest common folder of several paths. No input raises.
    """
    if isinstance(paths, (str, Path)):
        paths = [paths]
    named = list(dict.fromkeys(Path(os.path.abspath(path)) for path in paths))
    found = Discovery(_root(named))
    walk = _Walk(found, Ignored(found.root, exclude))
    for path in named:
        walk.named(path)
    walk.take_imported()
    found.files = unified(sorted(found.files, key=lambda file: file.relative))
    found.others.sort()
    found.findings.sort(key=lambda finding: (finding.path, finding.span is not None, finding.span, finding.code))
    return found


def _root(named: list[Path]) -> Path:
    folders = [str(path if os.path.isdir(path) else path.parent) for path in named]
    return Path(os.path.commonpath(folders)) if folders else Path.cwd()


class _Walk:
    """One walk through the named paths, which fills a `Discovery`."""

    def __init__(self, found: Discovery, ignored: Ignored) -> None:
        self.found = found
        self.ignored = ignored
        self.real_root = Path(os.path.realpath(found.root))
        self.seen: set[Path] = set()
        self.left: list[Path] = []  # what .gitignore files leave out

    def take_imported(self) -> None:
        """Take what .gitignore files leave out and the project imports, where nothing says what git tracks."""
        new = self.found.files if self.left and not self.ignored.knows_tracked else []
        while new:
            before = len(self.found.files)
            for path in imported(new, self.found.root, self.left):
                if not self.ignored.is_excluded(path):
                    self._file(path)
            new = self.found.files[before:]

    def named(self, path: Path) -> None:
        """A path the user gave: taken even when it is ignored."""
        if os.path.isdir(path):
            self._folder(path)
        else:
            self._file(path, is_named=True)

    def _folder(self, top: Path) -> None:
        waiting = [top]
        while waiting:
            folder = waiting.pop()
            if folder in self.seen:
                continue
            self.seen.add(folder)
            for entry in self._entries(folder):
                path = Path(entry.path)
                if not self._has_name(path):
                    continue
                if _is_folder(entry):
                    if not self._is_skipped_folder(path):
                        waiting.append(path)
                elif entry.is_symlink() and os.path.isdir(path):
                    if not self._is_skipped_folder(path):
                        self._linked_folder(path)
                elif not self.ignored.holds(path, is_folder=False):
                    self._file(path)
                elif path.suffix in _PYTHON:
                    self.left.append(path)

    def _entries(self, folder: Path) -> Iterator[os.DirEntry[str]]:
        try:
            with os.scandir(folder) as entries:
                yield from sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            self._report("MP904", f"the folder cannot be read: {error.strerror}", folder)

    def _is_skipped_folder(self, path: Path) -> bool:
        if path.name in _NOT_THE_PROJECT or os.path.isfile(path / "pyvenv.cfg"):
            return True
        skipped = self.ignored.holds(path, is_folder=True)
        if skipped:
            self.left.append(path)
        return skipped

    def _has_name(self, path: Path) -> bool:
        try:
            path.name.encode()
        except UnicodeEncodeError:
            self._report("MP904", "the name is not valid UTF-8", path, "Rename it.")
            return False
        return True

    def _linked_folder(self, path: Path) -> None:
        target = Path(os.path.realpath(path))
        if target == self.real_root or self.real_root in target.parents:
            why = "the link leads to a folder of the project, which is read under its own name"
        else:
            why = "the link leads to a folder outside the project, which is not read"
        self._report("MP904", why, path, "Name the folder on the command line, if it belongs to the project.")

    def _file(self, path: Path, is_named: bool = False) -> None:
        if path in self.seen:
            return
        self.seen.add(path)
        try:
            status = path.stat()
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            self._report("MP904", f"the file or link cannot be followed: {reason}", path)
            return
        if not stat.S_ISREG(status.st_mode):
            self._report("MP904", "this is neither a file nor a folder (a pipe, a socket or a device)", path)
            return
        suffix = path.suffix.lower()
        if suffix in _PYTHON or (is_named and not suffix):
            if status.st_size > MOST_BYTES:
                source, problems = None, [python_file.too_large(status.st_size, self._relative(path))]
            else:
                source, problems = python_file.load(path, self._relative(path))
        elif suffix == _NOTEBOOK:
            source, problems = notebook.load(path, self._relative(path))
        else:
            source, problems = None, []
        self.found.findings += problems
        if source is not None:
            self.found.files.append(source)
        elif not any(problem.code == "MP904" for problem in problems):
            self.found.others.append(path)

    def _relative(self, path: Path) -> PurePosixPath:
        text = path.relative_to(self.found.root).as_posix()
        return PurePosixPath(text.encode("utf-8", "backslashreplace").decode())

    def _report(self, code: str, message: str, path: Path, advice: str = "") -> None:
        self.found.findings.append(finding(code, message, self._relative(path), None, advice))


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False
