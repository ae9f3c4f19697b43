"""The hostile corpus: findings, in every form, and never a traceback."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Literal

import pytest
from rich.console import Console

from mindport.report import console, csv_, html, json_, markdown, sarif
from mindport.report.model import Report
from tests.cli.commands import Ran
from tests.report.test_html import Page
from tests.source.hostile import CASES, hostile_files

#: Tens of thousands of definitions in a file: inference takes minutes for them, and they hold no torch.
SLOW = ("many.py", "long.py")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("hostile")
    hostile_files(root)
    return root


@pytest.fixture(scope="module")
def report(corpus: Path) -> Report:
    ran = Ran("scan", corpus, "--format", "json", *(f"--exclude={name}" for name in SLOW))
    assert ran.code == 0, ran.err
    return json_.read(ran.out)


def test_every_bad_file_is_a_finding(report: Report) -> None:
    told = {(problem.path, problem.code) for problem in report.problems}
    for case in CASES:
        for code in case.codes if case.name not in SLOW else ():
            assert any(path.startswith(case.name) and found == code for path, found in told), (case.id, code)


def test_every_form_can_show_it(report: Report) -> None:
    Page(html.render(report))
    json.loads(sarif.render(report))
    assert markdown.render(report) and csv_.render(report)


@pytest.mark.parametrize("by", ["file", "class", "api"])
def test_the_console_shows_it(by: Literal["file", "class", "api"], report: Report) -> None:
    text = io.StringIO()
    console.show(report, Console(file=text, width=100, highlight=False), by, most=10_000)
    assert "\x1b" not in text.getvalue() and "MP901" in text.getvalue()


def test_it_converts_dry(corpus: Path) -> None:
    ran = Ran("convert", corpus, "--dry-run", "--format", "json", *(f"--exclude={name}" for name in SLOW))
    assert ran.code == 0, ran.err
    assert json.loads(ran.out)["by_risk"]["blocker"] > 0
