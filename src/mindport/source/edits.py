"""The only writer of text: span edits, and files replaced as a whole.

Requirements: an edit states the text it expects to find, so that a wrong position can never
corrupt a file; edits of one text must not overlap; a reader never sees half a file.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path


class EditConflict(ValueError):
    """Two edits overlap, or the text is not what an edit expects."""


@dataclass(frozen=True)
class Edit:
    """Replace ``text[start:end]``, which must be `old`, by `new`. Offsets count characters.

    ``start == end`` inserts. Insertions at one place keep the order in which they were given,
    and stand before a replacement that starts there.
    """

    start: int
    end: int
    old: str
    new: str

    @staticmethod
    def insert(at: int, new: str) -> Edit:
        """Insert `new` before the character at offset `at`."""
        return Edit(at, at, "", new)


def apply(text: str, edits: Iterable[Edit]) -> str:
    """`text` after all `edits`, whose offsets refer to `text` itself.

    Raises `EditConflict` when two overlap (an insertion strictly inside a replacement overlaps
    it), when `old` is not what stands there, or when a range lies outside the text.
    """
    pieces: list[str] = []
    done = 0
    previous: Edit | None = None
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        if not 0 <= edit.start <= edit.end <= len(text):
            raise EditConflict(f"the range {edit.start}:{edit.end} lies outside the text")
        if previous is not None and edit.start < done:
            raise EditConflict(
                f"{previous.old!r} → {previous.new!r} and {edit.old!r} → {edit.new!r} overlap at {edit.start}"
            )
        found = text[edit.start : edit.end]
        if found != edit.old:
            raise EditConflict(f"expected {edit.old!r} at {edit.start}, found {found!r}")
        pieces += (text[done : edit.start], edit.new)
        done = edit.end
        previous = edit
    pieces.append(text[done:])
    return "".join(pieces)


def write(path: Path, text: str, encoding: str = "utf-8", newline: str = "\n") -> None:
    """Write `text` to `path` in `encoding`, with its ``\\n`` written as `newline`.

    The file is written beside its place and renamed; folders are made; permissions of a file
    that is replaced are kept. Raises OSError, and UnicodeEncodeError when the text does not fit
    the encoding, both before anything at `path` has changed.
    """
    if newline != "\n":
        text = text.replace("\n", newline)
    data = text.encode(encoding)
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, beside = tempfile.mkstemp(dir=path.parent, prefix=".mindport-")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        os.chmod(beside, _permissions(path))
        os.replace(beside, path)
    except BaseException:
        os.unlink(beside)
        raise


def _permissions(path: Path) -> int:
    """Of the file that stands at `path`, else what a newly created file gets."""
    try:
        return path.stat().st_mode & 0o777
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
