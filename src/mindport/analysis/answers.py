"""What an analysis says: answers with evidence, grouped into the sections of the guide.

An answer is one row of the guide's checklist (A1 … K3 in FEATURES.md). Whatever it states stands on *quotes*:
places in the project's own text. What no place shows is `not found`, never guessed; where two places say
different things (README and code, paper and configuration), the status is `conflict` and the code's value stands.
Everything is plain data: each form of the report (console, HTML, JSON, Markdown) shows it without knowing the question.
"""

from __future__ import annotations

from typing import Literal

import msgspec

#: found: a place shows it. not found: looked for and not there. conflict: places disagree. unknown: what is
#: there cannot be followed (the quotes say where). unclaimed: claimed in text only (README, paper), not in code.
Status = Literal["found", "not found", "conflict", "unknown", "claimed only"]


class Quote(msgspec.Struct, frozen=True):
    """A place of the project: path from the project's root, line from 1, and the line's text."""

    path: str
    line: int
    text: str = ""


class Answer(msgspec.Struct, frozen=True):
    """One row: what was asked, what the project's text says, where it says so, and what to do about it."""

    row: str
    title: str
    status: Status
    value: str = ""
    quotes: tuple[Quote, ...] = ()
    advice: str = ""
    zh: str = ""


class Table(msgspec.Struct, frozen=True, tag="table"):
    """Rows of text under headings; a cell that starts with ``path:line`` is a place."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""


class Snippet(msgspec.Struct, frozen=True, tag="snippet"):
    """Code or a difference of texts that the user can take over. `language`: python, diff, text."""

    title: str
    language: str
    code: str
    caption: str = ""


class Picture(msgspec.Struct, frozen=True, tag="picture"):
    """An SVG image without scripts and links, with what it shows in words.

    It may use the report's CSS classes and variables, and no inline ``style`` (the page's policy forbids it).
    """

    title: str
    svg: str
    alt: str


class Section(msgspec.Struct, frozen=True):
    """The answers to one group of questions. `letter` is the group's letter in FEATURES.md."""

    letter: str
    title: str
    zh: str
    answers: tuple[Answer, ...] = ()
    parts: tuple[Table | Snippet | Picture, ...] = ()
