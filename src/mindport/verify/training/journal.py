"""A recording that grows: one JSON line an event, arrays in files of their own.

Every line reaches the operating system before the next event, so that a process that dies leaves all that it
recorded; arrays are written beside their place and renamed into it, so that no half file has a right name.
"""

from __future__ import annotations

import json
import os
import time
from typing import Any

import numpy as np

LINES = "run.jsonl"
#: torch's samplers that draw, by the names that both sides have.
SAMPLERS = ("RandomSampler", "SubsetRandomSampler", "WeightedRandomSampler")
#: The optimizer's number in the steps of a program that moves its parameters without one.
BY_HAND = -1


class Journal:
    """Appends to a recording's folder. A second process with the same folder records nothing (`claim`)."""

    def __init__(self, folder: str, token: str | None = None) -> None:
        self.folder = folder
        self.token = token
        self._stream: Any = None
        self._refused = False
        self._claimed = -1
        self._pid = os.getpid()
        self.began = time.time()

    def claim(self) -> bool:
        """Whether this process records: the first that trains does; workers and other ranks do not."""
        if self._stream is not None:
            return self._pid == os.getpid()
        if self._refused:
            return False
        if self.token is not None and not self._is_this_run():
            self._refused = True
            return False
        try:
            self._claimed = os.open(os.path.join(self.folder, "claimed"), os.O_CREAT | os.O_EXCL)
        except OSError:  # another process was first, or the folder is gone
            self._refused = True
            return False
        self._pid = os.getpid()
        self._stream = open(os.path.join(self.folder, LINES), "a", encoding="utf-8")  # noqa: SIM115
        return True

    def _is_this_run(self) -> bool:
        """Whether the folder is still that of the run that started this process."""
        try:
            with open(os.path.join(self.folder, "job.json"), encoding="utf-8") as stream:
                return bool(json.load(stream).get("token") == self.token)
        except (OSError, ValueError):
            return False

    def write(self, event: str, **fields: Any) -> None:
        """One line, complete or absent: it is written with one call."""
        line = json.dumps({"event": event, "at": round(time.time() - self.began, 6), **fields}, default=_plain)
        self._stream.write(line + "\n")
        self._stream.flush()

    def _own(self) -> bool:
        """Whether the folder is still this recording's: a process that outlived mindport must not write into the next one's."""
        try:
            return os.path.samestat(os.fstat(self._claimed), os.stat(os.path.join(self.folder, "claimed")))
        except OSError:
            return False

    def arrays(self, name: str, arrays: dict[str, np.ndarray]) -> None:
        """``NAME.npz`` in the folder."""
        if not self._own():
            return
        place = os.path.join(self.folder, f"{name}.npz")
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place + ".part", "wb") as stream:
            np.savez(stream, **arrays)  # type: ignore[arg-type]
        os.replace(place + ".part", place)

    def json(self, name: str, value: Any) -> None:
        """``NAME.json`` in the folder."""
        if not self._own():
            return
        place = os.path.join(self.folder, f"{name}.json")
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place + ".part", "w", encoding="utf-8") as stream:
            json.dump(value, stream, default=_plain)
        os.replace(place + ".part", place)


def _plain(value: Any) -> Any:
    """NumPy's numbers as Python's; anything else as text."""
    return value.item() if isinstance(value, np.generic) else repr(value)
