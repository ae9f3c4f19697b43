"""--baseline and --fail-on new: what is new since an earlier report, wherever its lines stand now."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.cli.commands import Ran
from tests.project.layout import ROOT

SOURCE = """import torch
import torch.nn.functional as F


def loss(x, y):
    a = F.no_such_loss(x, y)
    b = F.no_such_loss(x, y)
    return a + b
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "loss.py").write_text(SOURCE)
    return folder


def report(project: Path, command: str, form: str) -> Path:
    """A report of the project, written outside of it."""
    out = project.parent / f"{command}.{form}"
    assert Ran(command, project, "--format", form, "-o", out).code == 0
    return out


@pytest.mark.parametrize(("command", "form"), [("scan", "json"), ("scan", "sarif"), ("analyze", "json")])
def test_moved_lines_are_known_and_others_new(project: Path, command: str, form: str) -> None:
    before = report(project, command, form)
    (project / "loss.py").write_text('"""Moved."""\n\n# by\n# some\n' + SOURCE.replace("    a =", "    # here\n\n    a ="))
    ran = Ran(command, project, "--baseline", before, "--fail-on", "new")
    assert ran.code == 0 and "0 findings are new" in ran.err and " 0 are gone" in ran.err
    (project / "more.py").write_text("import torch\n\nx = torch.no_such_function(1)\n")
    ran = Ran(command, project, "--baseline", before, "--fail-on", "new")
    assert ran.code == 1 and "new: blocker MP101 more.py:3" in ran.err and "loss.py" not in ran.err
    # with a baseline a risk counts among what is new
    assert Ran(command, project, "--baseline", before, "--fail-on", "blocker").code == 1
    (project / "more.py").unlink()
    assert Ran(command, project, "--baseline", before, "--fail-on", "blocker").code == 0


def test_one_more_of_the_same_is_new_and_one_less_is_gone(project: Path) -> None:
    before = report(project, "scan", "json")
    (project / "loss.py").write_text(SOURCE.replace("    b =", "    a = F.no_such_loss(x, y)\n    b ="))
    ran = Ran("scan", project, "--baseline", before, "--fail-on", "new", "--format", "sarif")
    states = [result["baselineState"] for result in json.loads(ran.out)["runs"][0]["results"]]
    assert ran.code == 1 and states.count("new") == 1
    (project / "loss.py").write_text(SOURCE.replace("    b = F.no_such_loss(x, y)\n", "    b = a\n"))
    ran = Ran("scan", project, "--baseline", before, "--fail-on", "new")
    assert ran.code == 0 and " 0 are gone" not in ran.err


@pytest.mark.parametrize("example", ["dcgan", "image_classification"])
def test_no_line_number_enters_a_fingerprint(example: str, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples" / "training" / example, tmp_path / "p")
    before = report(tmp_path / "p", "scan", "sarif")
    for path in (tmp_path / "p").rglob("*.py"):
        path.write_text("# one\n# two\n# three\n" + path.read_text())
    ran = Ran("scan", tmp_path / "p", "--baseline", before, "--fail-on", "new")
    assert ran.code == 0, ran.err
    assert json.loads(before.read_text())["runs"][0]["results"]


@pytest.mark.parametrize("text", ["", "hello", "[]", '{"version": "2.1.0"}', '{"mindport_report": 1}', '{"mindport_analysis": 1}'])
def test_what_is_no_report_is_said_in_a_sentence(project: Path, text: str) -> None:
    path = project.parent / "baseline.json"
    path.write_text(text)
    ran = Ran("scan", project, "--baseline", path)
    assert ran.code == 2 and ran.err.count("\n") == 1 and str(path) in ran.err.replace("\n", "")


def test_new_needs_a_baseline(project: Path) -> None:
    ran = Ran("scan", project, "--fail-on", "new")
    assert ran.code == 2 and "--baseline" in ran.err
