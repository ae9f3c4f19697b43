"""Console, CSV and Markdown: what they show, and that hostile text stays text."""

from __future__ import annotations

import csv
import io
from pathlib import PurePosixPath
from typing import Literal

import pytest
from rich.console import Console

from mindport.findings import Finding
from mindport.report import console, csv_, markdown
from mindport.report.groups import grouped
from mindport.report.model import Report, severity
from tests.report.handmade import NETWORK, made

HOSTILE = "=HYPERLINK(1)|`x`[bold]<b>\x1b[31m\n.py"


@pytest.fixture(scope="module")
def report() -> Report:
    finding = Finding("MP901", "cannot | read <this>", PurePosixPath(HOSTILE), None, "blocker")
    return made({"net.py": NETWORK, "good.py": "import torch\ny = torch.sigmoid(x)\n"}, [finding])


def shown(report: Report, by: Literal["file", "class", "api"] = "file", width: int = 120) -> str:
    text = io.StringIO()
    console.show(report, Console(file=text, width=width, highlight=False), by)
    return text.getvalue()


def test_the_console_gives_answer_four_numbers_and_findings(report: Report) -> None:
    text = shown(report)
    assert text.startswith("BLOCKED")
    flat = " ".join(text.split())
    for unit in ("uses of APIs", "distinct APIs", "lines with uses", "files"):
        assert unit in flat
    assert "net.py:18:13 Net.forward" in text and "y = torch.no_such_function(x)" in text
    assert "unresolved 1" in flat


def test_the_console_passes_no_control_characters_and_no_markup(report: Report) -> None:
    text = shown(report)
    assert "\x1b" not in text and "[bold]" in text


@pytest.mark.parametrize("width", [40, 80, 200])
def test_lines_fit_the_terminal(report: Report, width: int) -> None:
    assert max(map(len, shown(report, "api", width).split("\n"))) <= width


@pytest.mark.parametrize("by", ["file", "class", "api"])
def test_groups_come_worst_first_and_lose_nothing(report: Report, by: Literal["file", "class", "api"]) -> None:
    groups = grouped(report, by)
    ranks = [severity(group.worst) for group in groups]
    assert ranks == sorted(ranks)
    assert sum(group.uses.total for group in groups) == len(report.rows)
    first = {"file": "net.py", "class": "net.py · Net.forward", "api": "torch.no_such_function"}[by]
    assert first in [group.name for group in groups[:4]]
    assert first in " ".join(shown(report, by).split())


def test_an_empty_report_says_so() -> None:
    assert shown(made({})).startswith("NOTHING TO PORT")


def test_csv_has_a_line_for_each_row_and_problem(report: Report) -> None:
    rows = list(csv.DictReader(io.StringIO(csv_.render(report), newline="")))
    assert len(rows) == len(report.rows) + len(report.problems)
    assert tuple(rows[0]) == csv_.COLUMNS
    assert {row["verdict"] for row in rows} >= {"missing", "differs", "unresolved"}


def test_csv_holds_no_formulas(report: Report) -> None:
    for row in csv.reader(io.StringIO(csv_.render(report), newline="")):
        assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\r")) for cell in row)
    assert "'=HYPERLINK" in csv_.render(report)


def test_markdown_tables_keep_their_columns(report: Report) -> None:
    lines = markdown.render(report).split("\n")
    assert lines[0].startswith("# BLOCKED")
    columns = 0
    for line in lines:
        if line.startswith("|"):
            count = line.replace("\\|", "").count("|")
            assert count == (columns or count), line
            columns = count
        else:
            columns = 0
            assert "<b>" not in line
    assert any("torch.no\\_such\\_function" in line for line in lines)


def test_markdown_stays_within_a_comment() -> None:
    many = "import torch\n" + "".join(f"a{i} = torch.no_such_function_{i}({i})\n" for i in range(3000))
    text = markdown.render(made({"m.py": many}))
    assert len(text) < 65_536 and "more findings" in text
