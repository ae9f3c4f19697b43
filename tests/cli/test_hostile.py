"""The hostile corpus: findings, in every form, and never a traceback."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mindport.report import csv_, html, json_, markdown, sarif
from mindport.report.model import Report
from tests.cli.commands import Ran
from tests.report.test_html import Page
from tests.source.hostile import CASES, hostile_files


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("hostile")
    hostile_files(root)
    return root


@pytest.fixture(scope="module")
def report(corpus: Path) -> Report:
    ran = Ran("scan", corpus, "--format", "json")
    assert ran.code == 0, ran.err
    return json_.read(ran.out)


def test_every_bad_file_is_a_finding(report: Report) -> None:
    told = {(problem.path, problem.code) for problem in report.problems}
    for case in CASES:
        for code in case.codes:
            assert any(path == case.name and found == code for path, found in told) or any(
                path.startswith(case.name) and found == code for path, found in told
            ), (case.id, code)


def test_every_form_can_show_it(report: Report) -> None:
    Page(html.render(report))
    json.loads(sarif.render(report))
    assert markdown.render(report) and csv_.render(report)


@pytest.mark.parametrize("by", ["file", "class", "api"])
def test_the_console_shows_it(by: str, corpus: Path) -> None:
    ran = Ran("scan", corpus, "--by", by, "--all")
    assert ran.code == 0 and "\x1b" not in ran.out


def test_each_file_alone(corpus: Path) -> None:
    for case in CASES:
        path = corpus / case.name
        if path.exists():
            ran = Ran("scan", path, "--format", "json")
            assert ran.code in (0, 2) and "defect" not in ran.err, (case.id, ran.err)


def test_it_converts_dry(corpus: Path) -> None:
    ran = Ran("convert", corpus, "--dry-run", "--format", "json")
    assert ran.code == 0, ran.err
