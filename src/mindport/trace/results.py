"""The shapes that each line of the project's networks computes, and whether the shapes it starts from decide them.

An operation whose result has different shapes for inputs of the same shapes, in calls of the network with inputs of the
same shapes, is where a shape begins to change. Operators and indexing are operations, too.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from mindport.trace.calls import Calls
from mindport.trace.journal import Journal
from mindport.trace.shapes import Leaf, leaves

#: Places, combinations of shapes of one place that are written, and those that are compared.
MOST_PLACES, MOST_WRITTEN, MOST_KEPT = 5000, 16, 500
#: Frames between an operation and the project's line that asked for it.
_MOST_FRAMES = 12


class Place:
    """One operation on one line. `seen`: (network's inputs, own inputs) → different results."""

    __slots__ = ("calls", "number", "outputs", "seen", "size", "written")

    def __init__(self, number: int) -> None:
        self.number = number
        self.calls = self.size = self.written = 0
        self.seen: dict[Any, set[Any]] = {}
        self.outputs: set[Any] = set()

    @property
    def most(self) -> int:
        """The most results for inputs of one combination of shapes."""
        return max(map(len, self.seen.values()), default=0)


class Results:
    """Collects what operations give while a network runs."""

    def __init__(self, journal: Journal, calls: Calls, is_tensor: Callable[[Any], bool], name: Callable[[Any], str]) -> None:
        self.journal, self.calls, self.is_tensor, self.name = journal, calls, is_tensor, name
        self.entry: tuple[Leaf, ...] = ()
        self.iteration = 0
        self._places: dict[tuple[Any, str, int], Place] = {}
        self._made = 0

    def note(self, function: Any, args: Any, kwargs: Any, result: Any) -> None:
        """An operation was called and gave `result`."""
        outputs = tuple([leaf[1:] for leaf in leaves(result, self.is_tensor)])
        if not outputs:
            return
        frame = sys._getframe(2)
        for _ in range(_MOST_FRAMES):
            if self.calls.of_project(frame.f_code):
                break
            if frame.f_back is None:
                return
            frame = frame.f_back
        else:
            return
        key = (function, frame.f_code.co_filename, frame.f_lineno)
        place = self._places.get(key)
        if place is None:
            if self._made >= MOST_PLACES:
                return
            place = self._places[key] = Place(self._made)
            self._made += 1
            self.journal.write("place", number=place.number, name=self.name(function), file=self.calls.real(frame.f_code), line=frame.f_lineno)
        place.calls += 1
        inputs = tuple([leaf[1:] for leaf in (*leaves(args, self.is_tensor), *leaves(kwargs or {}, self.is_tensor))])
        known = place.seen.get((self.entry, inputs))
        if known is not None and outputs in known or place.size >= MOST_KEPT:
            return
        place.size += 1
        place.seen.setdefault((self.entry, inputs), set()).add(outputs)
        if outputs not in place.outputs:
            place.outputs.add(outputs)
            if place.written < MOST_WRITTEN:
                place.written += 1
                self.journal.write("result", place=place.number, iteration=self.iteration, inputs=inputs, outputs=outputs)

    def counts(self) -> dict[str, list[int]]:
        """Place number → calls, different results, the most results for inputs of one combination of shapes."""
        return {str(place.number): [place.calls, len(place.outputs), place.most] for place in self._places.values()}
