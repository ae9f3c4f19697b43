"""mindport convert: looking first, writing beside, refusing to overwrite."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

from tests.cli.commands import Ran

SOURCE = "import torch\nimport torch.nn as nn\n\n\nclass Net(nn.Module):\n    def forward(self, x):\n        # kept\n        return torch.sigmoid(x)\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    (root / "net.py").write_text(SOURCE)
    (root / "data.txt").write_text("data\n")
    return root


def test_a_project_is_converted_beside(project: Path, tmp_path: Path) -> None:
    out, log = tmp_path / "out", tmp_path / "log.json"
    ran = Ran("convert", project, "-o", out, "--log", log)
    assert ran.code == 0 and str(out) in "".join(ran.out.split())
    text = (out / "net.py").read_text()
    ast.parse(text)
    assert "# kept" in text and "torch" not in text.replace("torch_equivalents", "")
    assert (out / "data.txt").read_text() == "data\n"
    assert (project / "net.py").read_text() == SOURCE
    assert json.loads(log.read_text()) == json.loads((out / "mindport-log.json").read_text())


def test_a_dry_run_writes_nothing(project: Path, tmp_path: Path) -> None:
    ran = Ran("convert", project, "-o", tmp_path / "out", "--dry-run")
    assert ran.code == 0 and "Nothing was written" in ran.out
    assert sorted(path.name for path in tmp_path.iterdir()) == ["project"]


def test_a_diff_shows_what_changes(project: Path) -> None:
    lines = Ran("convert", project, "--diff").out.split("\n")
    assert lines[0] == "--- a/net.py" and lines[1] == "+++ b/net.py"
    assert "-import torch" in lines and any(line.startswith("+") and "mindspore" in line for line in lines)


def test_json_tells_counts_findings_and_log(project: Path, tmp_path: Path) -> None:
    told = json.loads(Ran("convert", project, "-o", tmp_path / "out", "--format", "json").out)
    assert told["files"] == 1 and sum(told["strategies"].values()) == len(told["log"])
    assert set(told["by_risk"]) == {"blocker", "silent", "loud", "style"}


def test_fail_on(project: Path) -> None:
    (project / "bad.py").write_text("import torch\n\ny = torch.no_such_function(1)\n")
    assert Ran("convert", project, "--dry-run").code == 0
    assert Ran("convert", project, "--dry-run", "--fail-on", "blocker").code == 1


def test_wrong_input_is_one_sentence_and_nothing_changes(project: Path, tmp_path: Path) -> None:
    full = tmp_path / "full"
    full.mkdir()
    (full / "mine.txt").write_text("mine\n")
    for arguments in (
        [project], [tmp_path / "absent", "-o", tmp_path / "out"], [project, "-o", full], [project, "-o", project / "inside"],
        [project, "-o", project], [project, "-o", full / "mine.txt"], [project, "-o", tmp_path],
    ):  # fmt: skip
        ran = Ran("convert", *arguments)
        assert ran.code == 2 and ran.err.startswith("mindport: ") and ran.err.count("\n") == 1, (arguments, ran.err)
    assert (full / "mine.txt").read_text() == "mine\n" and (project / "net.py").read_text() == SOURCE
    assert not (project / "inside").exists()


def test_a_library_that_cannot_be_taken_along_is_one_sentence(project: Path, tmp_path: Path) -> None:
    ran = Ran("convert", project, "-o", tmp_path / "out", "--with", "timm=/nowhere")
    assert ran.code == 2 and "no package timm in /nowhere" in " ".join(ran.err.split()) and not (tmp_path / "out").exists()


def test_a_library_is_taken_along(project: Path, tmp_path: Path) -> None:
    """Its blockers are told, and do not block the project by themselves."""
    (tmp_path / "site" / "tiny").mkdir(parents=True)
    (tmp_path / "site" / "tiny" / "__init__.py").write_text("import torch\n\n\ndef seldom():\n    return torch.no_such_function(1)\n\n\ndef twice(x):\n    return torch.logsumexp(x, 0)\n")
    (project / "main.py").write_text("import torch\nfrom tiny import twice\n\nprint(twice(torch.ones(2)))\n")
    assert json.loads(Ran("scan", project, "--format", "json").out)["answer"] != "BLOCKED"
    ran = Ran("scan", project, "--format", "json", "--with", f"tiny={tmp_path / 'site'}")
    told = json.loads(ran.out)
    assert told["answer"] == "GO WITH WORK" and "in what a library does where it is asked to (tiny/__init__.py)" in told["reasons"][0]
    ran = Ran("convert", project, "-o", tmp_path / "out", "--with", f"tiny={tmp_path / 'site'}")
    assert ran.code == 0 and "1 file of tiny taken along; its licence holds for them." in ran.out
    assert "mindspore" in (tmp_path / "out" / "tiny" / "__init__.py").read_text()
