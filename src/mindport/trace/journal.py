"""A trace that grows: one JSON line an event, complete or absent, each with the operating system before the next.

What is new (a network, a shape, a place that calls an API) is written at once. Counts and times are written whole
now and then, at intervals that grow with the run, so that the file stays small however long the run is: a process
that is killed loses the counts of its last fifth at most, and nothing else.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from typing import Any

#: The format's version: it changes when a reader of the old one would read the new one wrongly.
VERSION = 1
#: Beyond this size only counts and the end are written.
MOST_BYTES = 50_000_000
_FIRST_COUNTS, _LARGE = 2.0, 1_000_000


class Journal:
    """Appends to one file. The process that writes first owns it: workers and other ranks write nothing."""

    def __init__(self, path: str, header: Callable[[], dict[str, Any]]) -> None:
        self.path = path
        self.began = time.time()
        self.full = False
        self._header = header
        self._stream: Any = None
        self._refused = False
        self._pid = os.getpid()
        self._size = 0
        self._next, self._factor = _FIRST_COUNTS, 1.2

    def own(self) -> bool:
        """Whether this process writes; the first call claims the file, which must not exist."""
        if self._stream is not None:
            return self._pid == os.getpid()
        if self._refused:
            return False
        try:
            self._stream = open(self.path, "x", encoding="utf-8")  # noqa: SIM115
        except OSError:  # another process was first, or the folder is gone
            self._refused = True
            return False
        self._pid = os.getpid()
        self._line({"event": "trace", "version": VERSION, **self._header()})
        return True

    def write(self, event: str, **fields: Any) -> None:
        """One line; nothing once the file is full."""
        if self._size >= MOST_BYTES:
            self.full = True
        elif self.own():
            self._line({"event": event, **fields})

    def due(self) -> bool:
        """Whether counts should be written now."""
        return self._stream is not None and time.time() - self.began >= self._next

    def counts(self, event: str, **fields: Any) -> None:
        """A line that takes the place of all of its kind before it; it is written to a full file, too, but more rarely."""
        if not self.own():
            return
        elapsed = time.time() - self.began
        length = self._line({"event": event, "seconds": round(elapsed, 3), "full": self.full, **fields})
        if length > _LARGE or self.full:
            self._factor = 2.0
        self._next = max(elapsed + _FIRST_COUNTS, elapsed * self._factor)

    def _line(self, fields: dict[str, Any]) -> int:
        line = json.dumps(fields, default=repr, separators=(",", ":")) + "\n"
        self._stream.write(line)
        self._stream.flush()
        self._size += len(line)
        return len(line)
