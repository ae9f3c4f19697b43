"""The questions of the guide, one group a file, found by looking into this folder.

A file defines ``LETTER`` and ``section(subject) -> Section``; it reads facts and text, never runs the project, and
states nothing without a quote. Files of one letter become one section, in the order of their names.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator

from mindport.analysis.answers import Answer, Section
from mindport.analysis.subject import Subject
from mindport.findings import defect_text


def questions() -> list[tuple[str, str, Callable[[Subject], Section]]]:
    """(letter, module name, function) of every group of questions, in the order of the guide."""
    found = []
    for module in pkgutil.iter_modules(__path__):
        loaded = importlib.import_module(f"{__name__}.{module.name}")
        found.append((loaded.LETTER, module.name, loaded.section))
    return sorted(found, key=lambda item: item[:2])


def sections(subject: Subject, progress: Callable[[str], None] = lambda name: None) -> Iterator[Section]:
    """Every section, in the order of the guide; files with one letter make one section together."""
    current: Section | None = None
    for letter, name, section in questions():
        progress(name)
        try:
            made = section(subject)
        except Exception as error:  # the other questions go on: one row says what is not answered
            made = _unanswered(letter, name, error)
        if not made.answers and not made.parts:
            continue  # a question that this project does not raise
        if current is not None and current.letter == made.letter:
            current = Section(
                made.letter, current.title, current.zh, current.answers + made.answers, current.parts + made.parts
            )
            continue
        if current is not None:
            yield _in_order(current)
        current = made
    if current is not None:
        yield _in_order(current)


def _unanswered(letter: str, name: str, error: Exception) -> Section:
    """One row in the place of a group of questions at which mindport failed; raises the error for who looks for it."""
    title = name.replace("_", " ")
    return Section(letter, title.capitalize(), title, (Answer(f"{letter}0", title, "unknown", f"not answered: {defect_text(error)}"),))


def _in_order(section: Section) -> Section:
    """The section with its rows by number; rows of another letter last."""
    rows = sorted(_told_once(section.answers), key=lambda answer: (answer.row[:1] != section.letter, int(answer.row[1:] or 0)))
    return Section(section.letter, section.title, section.zh, tuple(rows), section.parts)


def _told_once(answers: tuple[Answer, ...]) -> list[Answer]:
    """The rows, with what two files found of one thing (by its name, and by what the code does) in one."""
    found: dict[tuple[str, str], int] = {}
    told: list[Answer] = []
    for answer in answers:
        key = answer.row, answer.title.casefold()
        other = told[found[key]] if key in found else None
        if other is None or other.title == answer.title or {other.status, answer.status} != {"found"}:
            found.setdefault(key, len(told))
            told.append(answer)
            continue
        value, quotes = f"{answer.value}; {other.value}", tuple(dict.fromkeys(answer.quotes + other.quotes))
        told[found[key]] = Answer(answer.row, answer.title, "found", value, quotes, answer.advice or other.advice, answer.zh)
    return told
