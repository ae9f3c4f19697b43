"""The report: everything that any of its forms shows, as plain data.

Deterministic: the same project, knowledge and options give the same bytes, so that two reports
can be compared. Paths are relative to the project's root, with ``/``; lines and columns count
from 1, in characters. A notebook's lines are those of its code cells, one after the other; `cell`
says where that is in the notebook.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec

from mindport.analysis.api import Verdict
from mindport.analysis.regions import Region
from mindport.findings import RISKS, Certainty, Risk

Answer = Literal["GO", "GO WITH WORK", "BLOCKED", "NOTHING TO PORT"]


class Cell(msgspec.Struct, frozen=True):
    """Where a line of a notebook stands: the cell's number among all cells, and the line within it, from 1."""

    number: int
    line: int


class Row(msgspec.Struct, frozen=True):
    """One use of an API, or one place that may be one.

    `code` and `risk` are null where nothing is to be done. `text` is the source line.
    """

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    scope: str
    api: str
    kind: str
    region: Region
    verdict: Verdict
    certainty: Certainty
    evidence: str
    rung: str
    code: str | None
    risk: Risk | None
    message: str
    text: str
    knowledge: str = ""
    cell: Cell | None = None


class Problem(msgspec.Struct, frozen=True):
    """A finding that is not about one API: a file that cannot be read, a construct, a star import."""

    path: str
    line: int
    column: int
    code: str
    risk: Risk
    message: str
    advice: str = ""
    text: str = ""
    cell: Cell | None = None


class Share(msgspec.Struct, frozen=True):
    """`ready` of `total`: what needs no work, in one unit. Unresolved places count in the total."""

    ready: int
    total: int

    @property
    def percent(self) -> float:
        """The share in per cent; 100 of nothing."""
        return 100.0 * self.ready / self.total if self.total else 100.0


class Totals(msgspec.Struct, frozen=True):
    """How much is ready, in four units; and how many rows have each verdict, risk and region.

    `calls` counts uses of every kind; `lines` those that hold a use; `files` those that hold one or
    could not be read.
    """

    calls: Share
    apis: Share
    files: Share
    lines: Share
    source_lines: int
    source_files: int
    by_verdict: dict[str, int]
    by_risk: dict[str, int]
    by_region: dict[str, int]
    by_effort: dict[str, int]
    by_evidence: dict[str, int]


class FileSummary(msgspec.Struct, frozen=True):
    """One file: its length, its uses, its findings by risk, and its worst risk."""

    path: str
    lines: int
    calls: Share
    by_risk: dict[str, int]
    worst: Risk | None


class Project(msgspec.Struct, frozen=True):
    """What was read, and with which knowledge."""

    name: str
    paths: list[str]
    mindspore: str
    device: str
    mindport: str
    entries: int


class Report(msgspec.Struct, frozen=True):
    """The whole answer to `mindport scan`."""

    project: Project
    answer: Answer
    reasons: list[str]
    totals: Totals
    files: list[FileSummary]
    rows: list[Row]
    problems: list[Problem]
    version: Literal[1] = msgspec.field(default=1, name="mindport_report")

    def found(self) -> list[Found]:
        """What there is to do, worst first, then in the order of the text."""
        return sorted(found(self.rows, self.problems), key=lambda f: (severity(f.risk), f.path, f.line, f.column))


Found = Row | Problem


def where(item: Found) -> str:
    """The place of a finding within its file, for people."""
    return f"cell {item.cell.number} line {item.cell.line}" if item.cell else f"line {item.line}"


def found(rows: Iterable[Row], problems: Iterable[Problem]) -> list[Found]:
    """The rows that report something, and the problems."""
    return [*(row for row in rows if row.code), *problems]


def severity(risk: str | None) -> int:
    """A key that sorts the worst risk first and no risk last."""
    return RISKS.index(risk) if risk in RISKS else len(RISKS)  # type: ignore[arg-type]
