"""Statements written as others, on other lines: the text and the tree change, and each line still knows the user's own (`SourceFile.before`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from mindport.source.file import SourceFile, parse


@dataclass(frozen=True)
class Rewritten:
    """What stands in the place of the lines `first` to `last` (1-based, inclusive): texts, each with the line it comes from."""

    first: int
    last: int
    lines: tuple[tuple[str, int], ...]


def rewritten(file: SourceFile, changes: Sequence[Rewritten]) -> SourceFile:
    """The file with these lines in the place of others, which do not overlap."""
    lines = [(text, number) for number, text in enumerate(file.text.split("\n"), 1)]
    for change in sorted(changes, key=lambda change: change.first, reverse=True):
        lines[change.first - 1 : change.last] = change.lines
    text = "\n".join(line for line, _ in lines)
    return replace(file, text=text, tree=parse(text), before=file.before or file, lines=tuple(file.number(number) for _, number in lines))
