"""The report's rows as CSV, for spreadsheets: one line a use, findings about files among them."""

from __future__ import annotations

import csv
import io

from mindport.report.model import Report

COLUMNS = (
    "path", "line", "column", "scope", "api", "kind", "region", "verdict", "certainty", "evidence", "rung", "code",
    "risk", "message", "text",
)  # fmt: skip
#: A cell that starts so is a formula to a spreadsheet, which the quoted project must not be able to run.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def render(report: Report) -> str:
    """CSV with a header line and ``\\r\\n`` line ends (RFC 4180)."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    for row in report.rows:
        writer.writerow([_cell(getattr(row, column)) for column in COLUMNS])
    for problem in report.problems:
        writer.writerow([_cell(getattr(problem, column, "")) for column in COLUMNS])
    return out.getvalue()


def _cell(value: object) -> str:
    text = "" if value is None else str(value)
    return "'" + text if text.startswith(_FORMULA) else text
