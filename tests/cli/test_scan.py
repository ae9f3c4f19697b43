"""mindport scan: forms, exit codes, and input that nobody should scan."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from mindport.report import json_
from tests.cli.commands import Ran
from tests.report.handmade import NETWORK

GOOD = "import torch\n\n\ndef f(x: torch.Tensor):\n    return torch.sigmoid(x)\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "inner").mkdir(parents=True)
    (root / "net.py").write_text(NETWORK)
    (root / "inner" / "good.py").write_text(GOOD)
    (root / "broken.py").write_text("def f(:\n")
    return root


@pytest.mark.parametrize("form", ["console", "json", "csv", "sarif", "markdown", "html"])
def test_every_form_on_the_terminal_and_in_a_file(form: str, project: Path, tmp_path: Path) -> None:
    printed = Ran("scan", project, "--format", form)
    assert printed.code == 0 and "no_such_function" in printed.out.replace("\\", "")
    target = tmp_path / "report"
    written = Ran("scan", project, "--format", form, "-o", target)
    assert written.code == 0 and written.out == "" and "BLOCKED" in written.err
    assert target.read_text(encoding="utf-8").split() == printed.out.split()


def test_a_report_names_places_relative_to_the_project(project: Path) -> None:
    report = json_.read(Ran("scan", project, "--format", "json").out)
    assert {row.path for row in report.rows} == {"net.py", "inner/good.py"}
    assert [problem.code for problem in report.problems if problem.path == "broken.py"] == ["MP901"]
    assert str(project) not in Ran("scan", project, "--format", "sarif").out


@pytest.mark.parametrize("by", ["file", "class", "api"])
def test_by(by: str, project: Path) -> None:
    assert f"by {by}" in Ran("scan", project, "--by", by).out


def test_exclude(project: Path) -> None:
    ran = Ran("scan", project, "--exclude", "net.py", "--exclude", "broken.py", "--format", "csv")
    assert {row["path"] for row in csv.DictReader(io.StringIO(ran.out))} == {"inner/good.py"}


def test_fail_on_counts_the_risk_and_what_is_worse(project: Path) -> None:
    assert Ran("scan", project).code == 0
    for risk in ("blocker", "silent", "loud", "style"):
        assert Ran("scan", project, "--fail-on", risk).code == 1
    nothing = project / "inner" / "nothing.py"
    nothing.write_text("x = 1\n")
    assert Ran("scan", nothing, "--fail-on", "style").code == 0


def test_wrong_input_is_one_sentence(project: Path) -> None:
    for arguments in (
        [project / "absent"], [project, "--mindspore", "0.1"], [project, "-o", project / "net.py"], [project, "-o", project / "inner"],
        [project, "-o", project / "net.py" / "report"],
    ):  # fmt: skip
        ran = Ran("scan", *arguments)
        assert ran.code == 2 and ran.out == "" and ran.err.startswith("mindport: ") and ran.err.count("\n") == 1, (arguments, ran.err)
    assert (project / "net.py").read_text() == NETWORK


def test_an_empty_folder(tmp_path: Path) -> None:
    ran = Ran("scan", tmp_path)
    assert ran.code == 0 and ran.out.startswith("NOTHING TO PORT")


def test_an_interrupt_says_what_was_kept(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("mindport.source.discover.discover", interrupted)
    ran = Ran("scan", project)
    assert ran.code == 130 and ran.err == "mindport: interrupted: nothing was written\n"


def test_two_runs_give_the_same_bytes(project: Path) -> None:
    first, second = (Ran("scan", project, "--format", "json").out for _ in range(2))
    assert first == second and json.loads(first)["mindport_report"] == 1
