"""The report model: every place counted once, the worst told first, the same bytes every time."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from mindport.findings import Finding, Span
from mindport.report import json_
from mindport.report.model import Cell as ModelCell
from mindport.report.model import Report, Share
from mindport.source.file import Cell
from tests.report.handmade import NETWORK, made


@pytest.fixture(scope="module")
def report() -> Report:
    return made({"net.py": NETWORK, "empty.py": "x = 1\n"})


def test_every_place_has_one_row(report: Report) -> None:
    places = [(row.path, row.line, row.column, row.end_line, row.end_column) for row in report.rows]
    assert len(places) == len(set(places)) == report.totals.calls.total
    assert sum(report.totals.by_verdict.values()) == len(report.rows)
    assert sum(report.totals.by_region.values()) == len(report.rows)


def test_rows_quote_the_text_at_their_place(report: Report) -> None:
    lines = NETWORK.split("\n")
    for row in report.rows:
        assert row.text == lines[row.line - 1].strip()
    relu = next(row for row in report.rows if row.api == "torch.nn.functional.relu")
    assert lines[relu.line - 1][relu.column - 1 :].startswith("F.relu(")
    assert relu.scope == "Net.forward"


def test_verdicts_say_what_becomes_of_a_use(report: Report) -> None:
    verdicts = {row.api: row.verdict for row in report.rows}
    assert verdicts["torch.no_such_function"] == "missing"
    assert verdicts["torch.nn.functional.relu"] == "differs"
    assert verdicts["torch.Tensor.mystery"] == "unresolved"
    assert verdicts["torch.sigmoid"] in ("same", "equivalent")


def test_the_in_place_request_is_a_difference_for_these_arguments_only() -> None:
    text = "import torch.nn.functional as F\na = F.relu(x)\nb = F.relu(x, inplace=True)\nc = F.relu(x, inplace=flag)\n"
    rows = made({"m.py": text}).rows
    assert [row.verdict for row in rows][1:] == ["differs", "differs"] and rows[0].verdict in ("same", "equivalent")
    assert [row.certainty for row in rows] == ["certain", "certain", "likely"]
    assert rows[1].code == "MP109"


def test_unresolved_places_count_in_the_denominator(report: Report) -> None:
    assert report.totals.by_verdict["unresolved"] == 1
    ready = sum(count for verdict, count in report.totals.by_verdict.items() if verdict in ("same", "equivalent", "packaged", "rewritten"))
    assert report.totals.calls == Share(ready, len(report.rows))
    assert report.totals.apis.total == len({row.api for row in report.rows})


def test_evidence_that_is_missing_or_partial_is_told() -> None:
    text = "import torch\na = torch.sigmoid(x)\n"
    codes = {status: made({"m.py": text}, status=status).rows[0].code for status in ("verified", "partial", "documented", "absent")}
    assert codes == {"verified": None, "partial": "MP110", "documented": "MP104", "absent": "MP104"}


def test_the_answer_follows_the_worst_risk() -> None:
    good = "import torch\na = torch.sigmoid(x)\n"
    assert made({"m.py": "x = 1\n"}).answer == "NOTHING TO PORT"
    assert made({"m.py": good}).answer == "GO"
    assert made({"m.py": good}, status="partial").answer == "GO WITH WORK"
    blocked = made({"m.py": good + "b = torch.no_such_function(a)\n"})
    assert blocked.answer == "BLOCKED" and "torch.no_such_function" in blocked.reasons[0]


def test_findings_about_files_are_in_the_totals() -> None:
    finding = Finding("MP901", "the file does not parse", PurePosixPath("broken.py"), Span(3, 0, 3, 4), "blocker")
    report = made({"m.py": "x = 1\n"}, [finding, finding])
    assert [(p.path, p.line, p.column, p.code) for p in report.problems] == [("broken.py", 3, 1, "MP901")]
    assert report.totals.by_risk == {"blocker": 1} and report.answer == "BLOCKED"
    assert {file.path: file.worst for file in report.files} == {"m.py": None, "broken.py": "blocker"}


def test_the_same_project_gives_the_same_bytes() -> None:
    assert json_.render(made({"net.py": NETWORK})) == json_.render(made({"net.py": NETWORK}))


def test_what_is_quoted_cannot_act_on_a_terminal_and_is_cut() -> None:
    text = "import torch\na = torch.nope('\\x1b', '\x1b[31m\u202e" + "y" * 5000 + "')\n"
    row = made({"m.py": text}).rows[0]
    assert "\x1b" not in row.text and "\u202e" not in row.text and "\\u202e" in row.text
    assert len(row.text) <= 200


def test_places_in_notebooks_name_the_cell() -> None:
    from mindport.report import html, markdown

    report = made({"book.ipynb": "x = 1\nimport torch\ny = torch.no_such_function(x)\n"}, cells=(Cell(1, 1, 1), Cell(4, 2, 3)))
    (row,) = report.rows
    assert (row.line, row.cell) == (3, ModelCell(4, 2))
    assert "book.ipynb cell 4 line 2" in markdown.render(report) and "cell 4 line 2" in html.render(report)
