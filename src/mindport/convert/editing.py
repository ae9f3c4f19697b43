"""The edits planned for one file. Inner calls are planned before outer ones, so an outer
replacement can take up its arguments' new texts; the result is a list of edits that do not overlap.
"""

from __future__ import annotations

import ast
from bisect import bisect_left, insort

from mindport.source.edits import Edit
from mindport.source.file import SourceFile


class Editing:
    """Edits by place, always free of overlaps."""

    def __init__(self, file: SourceFile) -> None:
        self.file = file
        self.text = file.text
        self._edits: list[tuple[int, int, int, str]] = []  # start, end, serial, new text
        self._serial = 0

    def span(self, node: ast.AST) -> tuple[int, int]:
        """Character offsets of a node that has a position."""
        return self.file.offsets(node)  # type: ignore[arg-type]

    def bracket(self, node: ast.Subscript) -> int:
        """Where a subscript's bracket opens: the value before it may stand in parentheses."""
        return self.text.index("[", self.span(node.value)[1])

    def replace(self, start: int, end: int, new: str) -> None:
        """Plan `text[start:end]` → `new`; edits planned inside are taken back (the new text holds what they made)."""
        if start != end:
            self._edits = [e for e in self._edits if not (start <= e[0] and e[1] <= end and (e[0] < e[1] or start < e[0] < end))]
        if self.text[start:end] != new or start == end:
            self._serial += 1
            insort(self._edits, (start, end, self._serial, new))

    def forget(self, start: int, end: int) -> None:
        """Take back every edit planned inside ``text[start:end]``."""
        self._edits = [e for e in self._edits if not (start <= e[0] and e[1] <= end)]

    def insert(self, place: int, new: str) -> None:
        """Plan an insertion; several at one place keep the order in which they were planned."""
        self.replace(place, place, new)

    def inserts_at(self, place: int) -> bool:
        """Whether an insertion is planned at a place."""
        return any(start == end == place for start, end, *_ in self._edits)

    def current(self, start: int, end: int) -> str:
        """`text[start:end]` with the edits planned inside it made."""
        pieces, at = [], start
        for s, e, _, new in self._edits[bisect_left(self._edits, (start,)) :]:
            if s >= end and not (s == e == end):
                break
            if s == e and s in (start, end):
                continue  # an insertion at the border belongs to the surroundings
            pieces += [self.text[at:s], new]
            at = e
        pieces.append(self.text[at:end])
        return "".join(pieces)

    def wrap(self, node: ast.AST, function: str) -> None:
        """Plan a call around what stands at a node, unless two rooms ask for the same one: then it stands there already."""
        start, end = self.span(node)
        text = self.current(start, end)
        if text != f"{function}({self.text[start:end]})":
            self.replace(start, end, f"{function}({text})")

    def line_start(self, place: int) -> int:
        """The offset of the first character of the line."""
        return self.text.rfind("\n", 0, place) + 1

    def line_end(self, place: int) -> int:
        """The offset after the line's newline."""
        end = self.text.find("\n", place)
        return len(self.text) if end < 0 else end + 1

    def remove_statement(self, start: int, end: int) -> None:
        """Plan the removal of a statement, with its whole line where nothing else stands on it."""
        first, last = self.line_start(start), self.line_end(end)
        alone = not self.text[first:start].strip()
        rest = self.text[end:last]
        if alone and not rest.strip():
            self.replace(first, last, "")
        elif rest.lstrip().startswith(";"):
            self.replace(start, end + rest.index(";") + 1 + (rest[rest.index(";") + 1 :].startswith(" ")), "")
        elif alone:
            self.replace(start, end + len(rest) - len(rest.lstrip()), "")  # the comment stays
        else:
            self.replace(start, end, "pass")

    def indent(self, place: int) -> str:
        """The white space at the start of the line that holds `place`."""
        start = self.line_start(place)
        line = self.text[start : self.line_end(place)]
        return line[: len(line) - len(line.lstrip())].rstrip("\n")

    def edits(self) -> list[Edit]:
        """All planned edits, in order."""
        return [Edit(s, e, self.text[s:e], new) for s, e, _, new in self._edits]
