"""Which files a git repository holds, from its index: a file that was committed is the project's, whatever .gitignore says of it."""

from __future__ import annotations

import re
from pathlib import Path

#: A larger index belongs to no project that anybody ports.
_MOST_BYTES = 200_000_000
#: What stands before an entry's name: times, kind, size, id, and flags; versions 2 and 3 pad entries to eight bytes.
_HEAD, _ENTRY, _FLAGS, _EXTENDED, _PAD = 12, 62, 60, 0x4000, 8


def tracked(top: Path) -> frozenset[str]:
    """Paths, from the repository's top, of what its index lists; nothing where there is no index that can be read."""
    folder = top / ".git"
    try:
        if folder.is_file():  # a worktree's: ``gitdir: /path``
            found = re.match(r"gitdir:\s*(.+)", folder.read_text("utf-8", "replace"))
            folder = (top / found[1].strip()) if found else folder
        path = folder / "index"
        if not path.is_file() or path.stat().st_size > _MOST_BYTES:
            return frozenset()
        return _names(path.read_bytes())
    except OSError:
        return frozenset()


def _names(data: bytes) -> frozenset[str]:
    if data[:4] != b"DIRC" or int.from_bytes(data[4:8], "big") not in (2, 3):
        return frozenset()
    names, at = set(), _HEAD
    for _ in range(int.from_bytes(data[8:12], "big")):
        extended = bool(int.from_bytes(data[at + _FLAGS : at + _FLAGS + 2], "big") & _EXTENDED)
        start = at + _ENTRY + 2 * extended
        end = data.find(b"\0", start)
        if end < 0:
            return frozenset()
        names.add(data[start:end].decode("utf-8", "surrogateescape"))
        at += (end - at) // _PAD * _PAD + _PAD
    return frozenset(names)
